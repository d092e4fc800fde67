#include "cli/terminal_input.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>

namespace sa {
namespace {

constexpr int typing_look_ms = 50;

// The terminal as it was before a question, while there is one. Shared by a worker thread and the end of the process.
struct Original {
  std::mutex mutex;
  bool is_kept = false;
  termios state{};
};

Original& original() {
  static Original kept;
  return kept;
}

// Whether there is something to read; false when stopped.
bool wait_for_input(const StopFlag& stop) {
  while (!stop) {
    pollfd terminal{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&terminal, 1, typing_look_ms);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

}  // namespace

void restore_terminal() {
  const std::lock_guard lock(original().mutex);
  if (original().is_kept) ::tcsetattr(STDIN_FILENO, TCSANOW, &original().state);
  original().is_kept = false;
}

KeyMode::KeyMode() {
  const std::lock_guard lock(original().mutex);
  if (::tcgetattr(STDIN_FILENO, &original().state) != 0) return;
  termios keys = original().state;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  original().is_kept = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &keys) == 0;
}

KeyMode::~KeyMode() { restore_terminal(); }

std::optional<char> read_key(const StopFlag& stop) {
  char key = 0;
  if (!wait_for_input(stop) || ::read(STDIN_FILENO, &key, 1) != 1) return std::nullopt;
  return key;
}

// A terminal gives whole lines; a longer one than the buffer comes in parts.
std::optional<std::string> read_line(const StopFlag& stop) {
  std::string line;
  char buffer[4096];
  while (wait_for_input(stop)) {
    const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size <= 0) return std::nullopt;
    line.append(buffer, static_cast<std::size_t>(size));
    if (line.ends_with('\n')) return line.substr(0, line.size() - 1);
  }
  return std::nullopt;
}

}  // namespace sa
