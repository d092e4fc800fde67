#include "daemon/detached_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "daemon/places.h"

namespace sa {
namespace {

constexpr off_t largest_log = off_t{8} << 20;
constexpr std::size_t most_said = 16 * 1024;
constexpr int first_high = 10;  // our copies lie above what the child's descriptors will be
constexpr int child_lock = 3;
constexpr int child_ready = 4;

Failure cannot_start(std::string why) {
  return {.exit = Exit::failure, .what = "the background daemon cannot be started", .why = std::move(why)};
}

UniqueFd above_the_childs(int fd) { return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, first_high)); }

UniqueFd open_log(const std::string& path, off_t& size) {
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0 && info.st_size > largest_log) ::rename(path.c_str(), (path + ".1").c_str());
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file) return {};
  size = ::fstat(file.get(), &info) == 0 ? info.st_size : 0;
  return above_the_childs(file.get());
}

std::string working_directory() {
  const std::string home = home_directory();
  return ::access(home.c_str(), X_OK) == 0 ? home : "/";
}

// What the child is to be, for posix_spawn.
class Birth {
 public:
  Birth(int lock, int ready, int log) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addchdir_np(&actions_, working_directory().c_str());
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, log, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, log, STDERR_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, lock, child_lock);
    ::posix_spawn_file_actions_adddup2(&actions_, ready, child_ready);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, child_ready + 1);
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    for (int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD}) ::sigaddset(&signals, number);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Birth(const Birth&) = delete;
  ~Birth() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  // 0, or an errno.
  int give(pid_t& pid, const std::string& program, std::vector<std::string> words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return ::posix_spawn(&pid, program.c_str(), &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

enum class Heard : std::uint8_t { line, end, nothing };

Heard listen_for_line(int pipe, TimePoint deadline) {
  for (char c = 0;;) {
    const auto left = std::chrono::ceil<Millis>(deadline - Clock::now()).count();
    pollfd waiting{.fd = pipe, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::clamp<long long>(left, 0, 60'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && Clock::now() < deadline) continue;
    if (ready <= 0) return Heard::nothing;
    const ssize_t got = ::read(pipe, &c, 1);
    if (got <= 0) return Heard::end;
    if (c == '\n') return Heard::line;
  }
}

// Its exit status; one that does not end in time is killed.
int wait_for_end(pid_t pid, TimePoint deadline) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return status;
    if (Clock::now() >= deadline) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(Millis(1));
  }
}

std::string read_from(const std::string& path, off_t start) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(most_said, '\0');
  const ssize_t size = file ? ::pread(file.get(), text.data(), text.size(), start) : 0;
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return text;
}

// Why nothing can be said in a log, such as a full disk. Empty: it can.
std::string why_unwritten(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (file && ::write(file.get(), "\n", 1) == 1) return "";
  return fmt::format("{} cannot be written: {}", path, errno_text(errno));
}

}  // namespace

Failure failure_said_in(const std::string& text, Exit exit) {
  constexpr std::string_view error = "error: ", advice = "  try: ", indent = "  ";
  Failure failure{.exit = exit, .what = "", .more = text};
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (failure.what.empty() && line.starts_with(error)) {
      failure.what = line.substr(error.size());
    } else if (!failure.what.empty() && line.starts_with(advice)) {
      failure.what_to_do = line.substr(advice.size());
    } else if (!failure.what.empty() && failure.why.empty() && line.starts_with(indent)) {
      failure.why = line.substr(indent.size());
    }
    if (!line.empty()) last = std::move(line);
  }
  if (!failure.what.empty()) return failure;
  failure.what = "the background daemon ended at its start";
  failure.why = std::move(last);
  failure.what_to_do = "sandbox-agent doctor";
  return failure;
}

DetachedServer::DetachedServer(pid_t pid, UniqueFd ready, std::string log, off_t log_start)
    : pid_(pid), ready_(std::move(ready)), log_(std::move(log)), log_start_(log_start) {}

Outcome<DetachedServer> DetachedServer::start(const std::string& program, const std::vector<std::string>& words,
                                              const std::string& log, int lock) {
  int pipe[2] = {-1, -1};
  if (::pipe2(pipe, O_CLOEXEC) != 0) return failed(cannot_start(errno_text(errno)));
  UniqueFd ready(pipe[0]);
  UniqueFd told(pipe[1]);
  off_t log_start = 0;
  const UniqueFd output = open_log(log, log_start);
  if (!output) return failed(cannot_start(fmt::format("{}: {}", log, errno_text(errno))));
  const UniqueFd high_lock = above_the_childs(lock);
  const UniqueFd high_told = above_the_childs(told.get());
  if (!high_lock || !high_told) return failed(cannot_start(errno_text(errno)));
  told.reset();

  std::vector<std::string> command{program, "server"};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--ready-fd", std::to_string(child_ready)});
  pid_t pid = 0;
  if (const int error = Birth(high_lock.get(), high_told.get(), output.get()).give(pid, program, std::move(command)))
    return failed(cannot_start(fmt::format("{}: {}", program, errno_text(error))));
  return DetachedServer(pid, std::move(ready), log, log_start);
}

Outcome<void> DetachedServer::wait_until_ready(TimePoint deadline) {
  switch (listen_for_line(ready_.get(), deadline)) {
    case Heard::line: return {};
    case Heard::end: return failed(explain(wait_for_end(pid_, deadline)));
    case Heard::nothing: break;
  }
  ::kill(pid_, SIGKILL);
  wait_for_end(pid_, deadline);
  return failed({.exit = Exit::failure,
                 .what = "the background daemon did not become ready in time",
                 .why = "what it said is in " + log_,
                 .more = read_from(log_, log_start_)});
}

Failure DetachedServer::explain(int status) const {
  const bool usage = WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(Exit::usage);
  Failure failure = failure_said_in(read_from(log_, log_start_), usage ? Exit::usage : Exit::failure);
  if (WIFSIGNALED(status) && failure.why.empty()) failure.why = fmt::format("signal {} ended it", WTERMSIG(status));
  if (failure.why.empty()) failure.why = why_unwritten(log_);
  return failure;
}

}  // namespace sa
