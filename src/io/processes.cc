#include "io/processes.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/log.h"
#include "io/control_message.h"
#include "io/process_tree.h"
#include "io/supervisor.h"

namespace sa {
namespace {

constexpr Millis longest_sweep_pause{100};  // some cannot be killed, for a while or for good
constexpr Millis sure_of_strangers{40};     // at this pause one that shows no environment is taken for one that has none
constexpr std::size_t most_asked{64};       // for their children, in a sweep: the loop has others to serve
constexpr Millis longest_kill{5};           // in a sweep: those that die want the processor, and we would get it last
constexpr Millis next_piece{1};             // when that was not all
constexpr int most_reaped{64};              // in a round of the loop
constexpr std::size_t reserved{4};          // descriptors: a look takes two, and other threads may snatch one
constexpr int child_signals[] = {SIGCHLD};

// Descriptors handed over are kept above the numbers they get in the supervisor, so that no dup2 overwrites another.
UniqueFd move_up(UniqueFd fd) { return UniqueFd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, first_stdio_fd + 8)); }

struct Pipe {
  UniqueFd read, write;
};

bool make_pipe(Pipe& pipe) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe = {UniqueFd(ends[0]), UniqueFd(ends[1])};
  return true;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& text : strings) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

bool is_agent_environment(std::string_view environment) {
  return environment.starts_with("SANDBOX_AGENT_BIN=") ||
         environment.find(std::string_view("\0SANDBOX_AGENT_BIN=", 19)) != std::string_view::npos;
}

std::unexpected<Error> spawn_failure(const char* what, int error) {
  return fail(ErrorCode::agent_spawn_failed, fmt::format("The agent could not be started: {}: {}. Free resources on this "
                                                         "machine or raise its limits, then try again.",
                                                         what, errno_text(error)));
}

bool is_directory(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::unexpected<Error> no_directory(const std::string& path, int error) {
  return fail(ErrorCode::agent_spawn_failed, fmt::format("The agent could not be started in '{}': {}. Give a directory that is "
                                                         "there and may be entered.",
                                                         path, errno_text(error)));
}

}  // namespace

Processes::Processes(Loop& loop, Millis stop_grace)
    : loop_(loop),
      stop_grace_(stop_grace),
      child_signal_(loop, child_signals, [this](int) { reap(); }),
      reap_rest_(loop),
      sweep_(loop) {
  ::signal(SIGCHLD, SIG_DFL);  // a parent that ignores it would take our children's ends from us
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const Look before_us = children_of(::getpid());
  foreign_.insert(before_us.pids.begin(), before_us.pids.end());
  strangers_ = ::getpid() == 1 || !foreign_.empty() || !before_us.complete;
  ::getrlimit(RLIMIT_NOFILE, &original_nofile_);
  rlimit raised = original_nofile_;
  raised.rlim_cur = raised.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &raised);
  keep_reserve();
}

// Supervisors that live see our end and end their trees.
Processes::~Processes() {
  if (any_lost()) kill_strays();
}

void Processes::reap() {
  int status = 0;
  bool lost = false, stray = false;
  int reaped = 0;
  for (pid_t pid = 0; reaped < most_reaped && (pid = ::waitpid(-1, &status, WNOHANG)) > 0; ++reaped) {
    for (auto& [supervisor, child] : children_) {
      if (child->pid_ != pid || child->exit_) continue;  // an agent whose supervisor was killed before it
      child->exit_ = ExitStatus{WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
      child->changed();
    }
    lost = on_supervisor_end(pid) || lost;
    stray = strays_.erase(pid) > 0 || stray;
    foreign_.erase(pid);
  }
  if (reaped == most_reaped) reap_rest_.arm_in(Millis(0), [this] { reap(); });
  if (lost) sweep_pause_ = first_sweep_pause;
  if (lost || (stray && strays_.empty())) {  // what was below them has fallen to us
    sweep_strays();
  } else if (stray && sweep_pause_ > first_sweep_pause) {
    sweep_in(first_sweep_pause);
  }
}

// True when it left us its tree.
bool Processes::on_supervisor_end(pid_t supervisor) {
  auto found = children_.find(supervisor);
  if (found == children_.end()) return false;
  Child& child = *found->second;
  while (read_control(child)) {
  }
  if (child.gone_ || child.spawn_error_ != 0) {
    forget(supervisor);
    return false;
  }
  log::warn("the supervisor {} of agent process {} was killed; ending what it watched over", supervisor, child.pid_);
  child.supervisor_lost_ = true;
  child.changed();
  return true;
}

bool Processes::any_lost() const {
  return std::ranges::any_of(children_, [](const auto& each) { return each.second->supervisor_lost_; });
}

// A killed supervisor's tree is ours now. Children whose supervisor lives are not looked at: they are not our children.
void Processes::sweep_strays() {
  if (const auto pause = kill_strays()) return sweep_in(*pause);
  sweep_.cancel();
  sweep_pause_ = first_sweep_pause;
  std::vector<pid_t> lost;
  for (auto& [supervisor, child] : children_)
    if (child->supervisor_lost_) lost.push_back(supervisor);
  for (pid_t supervisor : lost) {
    Child& child = *children_.at(supervisor);
    if (!child.exit_) child.exit_ = ExitStatus{-1, SIGKILL};
    forget(supervisor);
  }
}

void Processes::sweep_in(Millis pause) {
  sweep_pause_ = pause;
  sweep_.arm_in(pause, [this] { sweep_strays(); });
}

// What is ours among our children, those first that have not been killed yet. Not complete when that cannot be said of all.
Look Processes::strays() const {
  Look look = children_of(::getpid());
  std::erase_if(look.pids, [&](pid_t pid) {
    const auto known = children_.find(pid);
    if (known != children_.end() && !known->second->supervisor_lost_) return true;
    const std::optional<bool> ours = is_ours(pid);
    if (!ours) look.complete = false;
    return !ours.value_or(false);
  });
  std::ranges::partition(look.pids, [&](pid_t pid) { return !is_killed(pid); });
  return look;
}

// When to look again; nothing when nothing is left. What is below the strays falls to us when they end, and a later sweep takes
// it. Some of it is killed with them, so that a deep tree does not end one generation at a time, and a storm of forks is not
// only followed. The loop does not stand still for more than that, however wide the tree is.
std::optional<Millis> Processes::kill_strays() {
  reserve_.clear();
  Look look = strays();
  const Look further = below(look.pids, most_asked);
  keep_reserve();
  const std::size_t known = strays_.size();
  const TimePoint until = Clock::now() + longest_kill;
  look.pids.insert(look.pids.end(), further.pids.begin(), further.pids.end());
  const std::size_t ours = look.pids.size() - further.pids.size();
  for (std::size_t at = 0; at < look.pids.size(); ++at) {
    if (Clock::now() > until) return next_piece;
    const pid_t pid = look.pids[at];
    if (at < ours && is_killed(pid)) continue;
    const bool is_sent = ::kill(pid, SIGKILL) == 0;  // parents first, or they would see their children die and act on it
    if (at < ours) strays_.insert_or_assign(pid, is_sent);
  }
  if (strays_.size() > known) return first_sweep_pause;
  if (look.complete && strays_.empty()) return std::nullopt;
  return std::min(2 * sweep_pause_, longest_sweep_pause);
}

// One that runs with the rights of somebody else is tried again: it may give them up.
bool Processes::is_killed(pid_t stray) const {
  const auto found = strays_.find(stray);
  return found != strays_.end() && found->second;
}

// What we were started with (a shell's `helper & exec sandbox-agent`) is not ours, and neither is what it leaves behind, which
// falls to us as well; as pid 1 of a container everybody's orphans do. So where there are strangers, only what carries an
// agent's environment is ours to kill. Nothing when that cannot be said now.
std::optional<bool> Processes::is_ours(pid_t pid) const {
  if (foreign_.contains(pid)) return false;
  if (!strangers_ || strays_.contains(pid)) return true;
  const std::optional<std::string> environment = environment_of(pid);
  if (!environment || (environment->empty() && sweep_pause_ < sure_of_strangers)) return std::nullopt;
  return is_agent_environment(*environment);
}

// Out of descriptors we could not see what fell to us. These are kept for that, and given back for as long as it takes.
void Processes::keep_reserve() {
  while (reserve_.size() < reserved) {
    UniqueFd fd(::open("/", O_PATH | O_CLOEXEC));
    if (!fd) return;
    reserve_.push_back(std::move(fd));
  }
}

void Processes::kill_all() {
  for (auto& [supervisor, child] : children_) child->abandon();
  if (any_lost()) sweep_strays();
}

void Processes::mark_gone(Child& child) {
  if (std::exchange(child.gone_, true)) return;
  child.control_wake_.notify();
  child.changed();
}

void Processes::forget(pid_t supervisor) {
  const auto node = children_.extract(supervisor);
  mark_gone(*node.mapped());
  if (listener_) listener_->notify();
}

Result<std::shared_ptr<Child>> Processes::start(const ChildSpec& spec) {
  keep_reserve();
  Pipe in, out, err;
  int control[2];
  if (!make_pipe(in) || !make_pipe(out) || !make_pipe(err)) return spawn_failure("no pipe to be had", errno);
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) return spawn_failure("no socket", errno);
  auto child = std::make_shared<Child>(loop_);
  child->control_ = AsyncFd(loop_, UniqueFd(control[0]));
  child->in = AsyncFd(loop_, std::move(in.write));
  child->out = AsyncFd(loop_, std::move(out.read));
  child->err = AsyncFd(loop_, std::move(err.read));
  UniqueFd passed[] = {move_up(UniqueFd(control[1])), move_up(std::move(in.read)), move_up(std::move(out.write)),
                       move_up(std::move(err.write))};
  for (const UniqueFd& fd : passed)
    if (!fd) return spawn_failure("no descriptor to be had", errno);
  if (!child->control_.is_open() || !child->in.is_open() || !child->out.is_open() || !child->err.is_open())
    return spawn_failure("its pipes cannot be watched", ENOSPC);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 4; ++i) posix_spawn_file_actions_adddup2(&actions, passed[i].get(), control_fd + i);
  if (!spec.cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions, spec.cwd.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);

  std::vector<std::string> argv = {"sandbox-agent",
                                   supervisor_command,
                                   fmt::format("--nofile={}:{}", original_nofile_.rlim_cur, original_nofile_.rlim_max),
                                   fmt::format("--grace-ms={}", stop_grace_.count()),
                                   "--on-daemon-loss=kill",
                                   "--"};
  argv.insert(argv.end(), spec.argv.begin(), spec.argv.end());
  pid_t supervisor = -1;
  const int error =
      ::posix_spawn(&supervisor, "/proc/self/exe", &actions, &attributes, pointers(argv).data(), pointers(spec.env).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0 && !spec.cwd.empty() && !is_directory(spec.cwd)) return no_directory(spec.cwd, error);
  if (error != 0) return spawn_failure("its supervisor did not start", error);

  child->supervisor_ = supervisor;
  children_.insert_or_assign(supervisor, child);
  spawn(follow(child));
  return child;
}

// Reads what the supervisor reports until its end is known.
Task<> Processes::follow(std::shared_ptr<Child> child) {
  while (!child->gone_) {
    while (read_control(*child)) {
    }
    if (child->control_.is_open()) child->control_.arm_read(child->control_wake_);
    co_await child->control_wake_.wait();
  }
  child->control_.close();
}

// False when there is nothing more to read now. A closed socket is not news by itself: SIGCHLD follows.
bool Processes::read_control(Child& child) {
  if (!child.control_.is_open()) return false;
  char packet[control_packet_bytes];
  ssize_t n = ::recv(child.control_.get(), packet, sizeof packet, MSG_DONTWAIT);
  // A supervisor that left without reading our last word resets the socket once; what it said itself still comes behind that.
  if (n < 0 && errno == ECONNRESET) n = ::recv(child.control_.get(), packet, sizeof packet, MSG_DONTWAIT);
  const auto message = read_control_packet({packet, static_cast<std::size_t>(std::max<ssize_t>(n, 0))});
  if (!message) {
    if (n >= 0 || (errno != EAGAIN && errno != EINTR)) {
      child.control_.close();
    } else {
      child.control_.nothing_to_read();
    }
    return false;
  }
  switch (message->type) {
    case ControlType::started: child.pid_ = message->first; break;
    case ControlType::spawn_failed: child.spawn_error_ = message->first; break;
    case ControlType::exited: child.exit_ = ExitStatus{message->first, message->second}; break;
    case ControlType::gone: mark_gone(child); return false;
    case ControlType::stop: break;
  }
  child.changed();
  return true;
}

void Child::stop(Millis grace) {
  if (!control_.is_open()) return;
  const ControlMessage message{control_version, ControlType::stop, static_cast<std::int32_t>(grace.count()), 0};
  (void)::send(control_.get(), &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Child::abandon() {
  if (!gone_ && !supervisor_lost_) ::kill(supervisor_, SIGKILL);
}

std::string signal_name(int number) {
  if (const char* name = ::sigabbrev_np(number)) return std::string("SIG") + name;
  if (number == SIGRTMIN) return "SIGRTMIN";
  return number > SIGRTMIN && number <= SIGRTMAX ? fmt::format("SIGRTMIN+{}", number - SIGRTMIN) : std::to_string(number);
}

std::string exit_text(const std::optional<ExitStatus>& exit) {
  if (!exit) return "ended";
  return exit->signal ? fmt::format("was ended by {}", signal_name(exit->signal))
                      : fmt::format("exited with code {}", exit->code);
}

}  // namespace sa
