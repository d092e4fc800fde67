#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace rig {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const auto& text : strings) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

void redirect(const char* path, int flags, int to) {
  const int fd = open(path, flags, 0600);
  if (fd < 0) _exit(126);
  if (fd != to) {
    dup2(fd, to);
    close(fd);
  }
}

// Runs in the forked child: only calls that are safe there.
[[noreturn]] void become(const Launch& launch, char* const* argv, char* const* env, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(125);
  if (launch.own_session) setsid();
  if (!launch.cwd.empty() && chdir(launch.cwd.c_str()) != 0) _exit(126);
  redirect(launch.stdin_file.c_str(), O_RDONLY, STDIN_FILENO);
  redirect(launch.stdout_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, STDOUT_FILENO);
  redirect(launch.stderr_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);
  if (launch.passed_fd == launch.passed_as) {
    fcntl(launch.passed_fd, F_SETFD, 0);
  } else if (launch.passed_fd >= 0) {
    dup2(launch.passed_fd, launch.passed_as);
  }
  if (launch.nofile) {
    const rlimit limit{.rlim_cur = *launch.nofile, .rlim_max = *launch.nofile};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(argv[0], argv, env);
  _exit(127);
}

}  // namespace

TempDir::TempDir() {
  const char* base = std::getenv("TMPDIR");
  std::string pattern = std::string(base == nullptr ? "/tmp" : base) + "/sandbox-agent-test.XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Process::Process(const Launch& launch) {
  const auto argv = pointers(launch.argv);
  const auto env = pointers(launch.env);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) become(launch, argv.data(), env.data(), parent);
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (pidfd_ >= 0) fcntl(pidfd_, F_SETFD, FD_CLOEXEC);
}

Process::~Process() {
  if (running()) {
    signal(SIGKILL);
    wait(milliseconds(5000));
  }
  if (pidfd_ >= 0) close(pidfd_);
}

void Process::signal(int number) const {
  if (running()) kill(pid_, number);
}

std::optional<Ending> Process::wait(milliseconds deadline) {
  if (ending_) return ending_;
  pollfd exit_event{.fd = pidfd_, .events = POLLIN, .revents = 0};
  if (poll(&exit_event, 1, static_cast<int>(scaled(deadline).count())) <= 0) return std::nullopt;
  int status = 0;
  waitpid(pid_, &status, 0);
  ending_ =
      WIFEXITED(status) ? Ending{.code = WEXITSTATUS(status), .signal = 0} : Ending{.code = -1, .signal = WTERMSIG(status)};
  return ending_;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const std::filesystem::path& path, std::string_view text, bool executable) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  if (executable) std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace rig
