#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <stdexcept>

namespace rig {
namespace {

int open_pseudo_terminal() {
  const int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0) throw std::runtime_error("cannot open a pseudo-terminal");
  return fd;
}

std::string other_end(int fd) {
  char name[128];
  if (ptsname_r(fd, name, sizeof name) != 0) throw std::runtime_error("the pseudo-terminal has no name");
  return name;
}

void set_size(int fd, int rows, int columns) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  ioctl(fd, TIOCSWINSZ, &size);
}

// Where the escape sequence that starts at `at` ends.
std::size_t end_of_escape(std::string_view bytes, std::size_t at) {
  if (at + 1 >= bytes.size()) return bytes.size();
  std::size_t end = at + 2;
  if (bytes[at + 1] == '[') {
    while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) ++end;
    return std::min(end + 1, bytes.size());
  }
  if (bytes[at + 1] == ']') {
    while (end < bytes.size() && bytes[end] != '\a' && !bytes.substr(end).starts_with("\x1b\\")) ++end;
    if (end < bytes.size()) end += bytes[end] == '\a' ? 1 : 2;
  }
  return end;
}

}  // namespace

Terminal::Terminal(const TerminalLaunch& launch) : fd_(open_pseudo_terminal()) {
  const std::string name = other_end(fd_);
  set_size(fd_, launch.rows, launch.columns);
  Launch l;
  l.argv = launch.argv;
  l.env = launch.env;
  l.cwd = launch.cwd;
  l.stdin_file = name;
  l.stdout_file = launch.stdout_file.empty() ? std::filesystem::path(name) : launch.stdout_file;
  l.stderr_file = name;
  l.own_session = true;
  process_.emplace(l);
}

Terminal::~Terminal() { hang_up(); }

void Terminal::type(std::string_view keys) {
  while (!keys.empty() && fd_ >= 0) {
    const auto n = write(fd_, keys.data(), keys.size());
    if (n > 0) {
      keys.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    pollfd output{.fd = fd_, .events = POLLOUT, .revents = 0};
    if (poll(&output, 1, static_cast<int>(scaled(milliseconds(10000)).count())) <= 0)
      throw TimedOut("the terminal to take keys");
    read_what_is_there();
  }
}

void Terminal::read_what_is_there() {
  char bytes[16384];
  while (fd_ >= 0) {
    const auto n = read(fd_, bytes, sizeof bytes);
    if (n <= 0) return;
    screen_.append(bytes, static_cast<std::size_t>(n));
  }
}

const std::string& Terminal::screen() {
  read_what_is_there();
  return screen_;
}

std::string Terminal::text() { return without_escapes(screen()); }

bool Terminal::wait_for(std::string_view part, milliseconds deadline) {
  return eventually([&] { return text().find(part) != std::string::npos; }, deadline);
}

bool Terminal::echoes() const {
  termios state{};
  return tcgetattr(fd_, &state) == 0 && (state.c_lflag & ECHO) != 0 && (state.c_lflag & ICANON) != 0;
}

void Terminal::resize(int rows, int columns) { set_size(fd_, rows, columns); }

void Terminal::hang_up() {
  read_what_is_there();
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

std::optional<Ending> Terminal::wait(milliseconds deadline) {
  std::optional<Ending> ending;
  eventually(
      [&] {
        read_what_is_there();
        ending = process_->wait(milliseconds(0));
        return ending.has_value();
      },
      deadline);
  read_what_is_there();
  return ending;
}

int Terminal::code(milliseconds deadline) {
  const auto ending = wait(deadline);
  return ending ? ending->code : -1;
}

std::string without_escapes(std::string_view bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    if (bytes[at] == '\x1b') {
      at = end_of_escape(bytes, at);
    } else {
      if (bytes[at] != '\r') out += bytes[at];
      ++at;
    }
  }
  return out;
}

}  // namespace rig
