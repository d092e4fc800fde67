#include "io/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "io/control_message.h"
#include "io/process_tree.h"

namespace sa {
namespace {

constexpr Millis grace_after_daemon_loss{500};
constexpr int most_looks = 8;          // a storm of forks always shows something new
constexpr Millis ask_again{50};        // for descendants that have not got their SIGTERM
constexpr Millis first_kill_pause{2};  // between two rounds of SIGKILL; longer when something cannot be killed
constexpr Millis last_kill_pause{250};
constexpr int most_rounds = 100;                 // in which nothing ends, before the pause is longer
constexpr std::size_t most_asked_to_kill = 256;  // for their children, in a round: what is below falls to us when they end

struct Options {
  rlimit nofile{};
  int grace_ms = 1500;
  bool keep_on_daemon_loss = false;
  char** program = nullptr;
};

bool parse(int argc, char** argv, Options& options) {
  for (int at = 2; at < argc; ++at) {
    unsigned long long soft = 0, hard = 0;
    const std::string_view argument = argv[at];
    if (argument == "--") {
      options.program = argv + at + 1;
      return *options.program != nullptr;
    }
    if (std::sscanf(argv[at], "--nofile=%llu:%llu", &soft, &hard) == 2) {
      options.nofile = {soft, hard};
    } else if (std::sscanf(argv[at], "--grace-ms=%d", &options.grace_ms) == 1) {
    } else if (argument == "--on-daemon-loss=keep") {
      options.keep_on_daemon_loss = true;
    }
  }
  return false;
}

void say(ControlType type, int first = 0, int second = 0) {
  const ControlMessage message{control_version, type, first, second};
  // A daemon that is gone or does not read must not stop us; it learns of the end by our own exit.
  (void)::send(control_fd, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// The agent is the first thing the kernel should take when memory runs out, never the daemon.
void raise_oom_score(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/oom_score_adj", pid);
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)!::write(fd, "500", 3);
  ::close(fd);
}

int start_agent(const Options& options, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = 0; fd < 3; ++fd) posix_spawn_file_actions_adddup2(&actions, first_stdio_fd + fd, fd);
  for (int fd = 0; fd < 3; ++fd) posix_spawn_file_actions_addclose(&actions, first_stdio_fd + fd);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  if (options.nofile.rlim_max > 0) ::setrlimit(RLIMIT_NOFILE, &options.nofile);
  const int error = ::posix_spawnp(&pid, options.program[0], &actions, &attributes, options.program, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  for (int fd = 0; fd < 3; ++fd) ::close(first_stdio_fd + fd);
  return error;
}

class Supervisor {
 public:
  Supervisor(pid_t agent, const Options& options)
      : agent_(agent), keep_(options.keep_on_daemon_loss), grace_(options.grace_ms) {}

  void run(int signal_fd) {
    while (reap()) {
      pollfd waits[2] = {{signal_fd, POLLIN, 0}, {control_open_ ? control_fd : -1, POLLIN, 0}};
      ::poll(waits, 2, timeout());
      if (waits[0].revents) drain_signals(signal_fd);
      if (waits[1].revents) read_control();
      if (stopping_ && Clock::now() >= look_at_) look();
    }
    say(ControlType::gone);
  }

 private:
  // False when no child is left.
  bool reap() {
    for (;;) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid == 0) return true;
      if (pid < 0) {
        if (errno == EINTR) continue;
        return false;
      }
      kill_rounds_ = 0;
      look_at_ = std::min(look_at_, rested_at_);
      if (pid == agent_) {
        say(ControlType::exited, WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        agent_ = -1;
        stop(grace_);
      }
    }
  }

  void read_control() {
    char packet[control_packet_bytes];
    const ssize_t n = ::recv(control_fd, packet, sizeof packet, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (const auto message = read_control_packet({packet, static_cast<std::size_t>(std::max<ssize_t>(n, 0))})) {
      if (message->type == ControlType::stop) stop(grace_ = Millis(message->first));
      return;
    }
    control_open_ = false;
    if (!keep_) stop(grace_after_daemon_loss);
  }

  // SIGTERM to every descendant. A later stop() can only shorten the grace.
  void stop(Millis grace) {
    const TimePoint at = Clock::now() + grace;
    kill_at_ = stopping_ ? std::min(kill_at_, at) : at;
    look_at_ = std::min(look_at_, kill_at_);
    if (std::exchange(stopping_, true)) return;
    stopped_at_ = now_ticks();
    // A process whose parent ends while we look around changes its place and may be missed: so until a look shows nothing new.
    std::vector<pid_t> found;
    for (int looks = 0; looks < most_looks; ++looks) {
      const std::size_t known = found.size();
      for (pid_t pid : descendants_of(::getpid()).pids)
        if (terminated_.insert(pid).second) found.push_back(pid);
      if (found.size() == known) break;
    }
    for (pid_t pid : found) ::kill(pid, SIGTERM);
    rest(at - grace, false);
  }

  void look() {
    const TimePoint before = Clock::now();
    const bool killing = before >= kill_at_;
    killing ? kill_all() : terminate_missed();
    rest(before, killing);
  }

  // When to look at the tree again, after a look that began at `before`: after a pause, or when something has ended. A large
  // tree takes long to look at and ends in many wake-ups: most of the time is left for reaping it, and for the tree itself.
  void rest(TimePoint before, bool killing) {
    const TimePoint now = Clock::now();
    rested_at_ = now + (killing ? 1 : 10) * (now - before);
    look_at_ = std::max(rested_at_, now + (killing ? kill_pause() : ask_again));
    if (!killing) look_at_ = std::min(look_at_, kill_at_);
  }

  // What was missed all the same. What was started since the stop is left alone: it may be how an agent cleans up.
  void terminate_missed() {
    for (pid_t pid : descendants_of(::getpid()).pids) {
      if (terminated_.contains(pid)) continue;
      const unsigned long long started = start_ticks(pid);
      if (started == 0 || started >= stopped_at_) continue;
      ::kill(pid, SIGTERM);
      terminated_.insert(pid);
    }
  }

  void kill_all() {
    if (agent_ > 0) ::kill(-agent_, SIGKILL);
    for (pid_t pid : descendants_of(::getpid(), most_asked_to_kill).pids) ::kill(pid, SIGKILL);
    ++kill_rounds_;
  }

  Millis kill_pause() const { return kill_rounds_ > most_rounds ? last_kill_pause : first_kill_pause; }

  int timeout() const {
    if (!stopping_) return -1;
    const auto left = std::chrono::ceil<Millis>(look_at_ - Clock::now());
    return static_cast<int>(std::clamp(left, Millis(0), ask_again).count());
  }

  static void drain_signals(int signal_fd) {
    signalfd_siginfo info;
    while (::read(signal_fd, &info, sizeof info) > 0) {
    }
  }

  pid_t agent_;
  bool keep_;
  bool control_open_ = true;
  bool stopping_ = false;
  Millis grace_;
  int kill_rounds_ = 0;  // since one has ended
  TimePoint kill_at_{};  // from then on what is left is killed
  TimePoint look_at_{};  // once stopping
  TimePoint rested_at_{};
  unsigned long long stopped_at_ = 0;
  std::unordered_set<pid_t> terminated_;
};

}  // namespace

int run_supervisor(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) return 2;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);  // we see the daemon's end ourselves, unless somebody has stopped us
  ::prctl(PR_SET_NAME, "sa-supervisor");
  ::close_range(first_stdio_fd + 3, ~0U, 0);
  ::fcntl(control_fd, F_SETFD, FD_CLOEXEC);
  for (int ignored : {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2}) ::signal(ignored, SIG_IGN);
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child_signal, nullptr);
  const int signal_fd = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signal_fd < 0) {
    say(ControlType::spawn_failed, errno);  // its end would not be noticed
    return 1;
  }

  pid_t agent = -1;
  if (const int error = start_agent(options, agent); error != 0) {
    say(ControlType::spawn_failed, error);
    return 1;
  }
  raise_oom_score(agent);
  say(ControlType::started, agent);
  Supervisor(agent, options).run(signal_fd);
  return 0;
}

}  // namespace sa
