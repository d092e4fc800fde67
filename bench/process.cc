#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace bench {
namespace {

constexpr int longest_end_ms = 3000;  // then it is killed; a server may wait for its streams to end

std::int64_t clock_ns(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) give_up("clock_gettime");
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

std::string read_file(const std::string& path) {
  std::string text;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) give_up(path.c_str());
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return text;
}

std::string proc_file(pid_t pid, const char* name) { return read_file("/proc/" + std::to_string(pid) + "/" + name); }

// The sum of the numbers that follow `name` at the start of a line.
std::int64_t sum_of(const std::string& text, const std::string& name) {
  std::int64_t sum = 0;
  for (std::size_t at = 0; (at = text.find("\n" + name, at)) != std::string::npos; ++at)
    sum += std::strtoll(text.c_str() + text.find(':', at) + 1, nullptr, 10);
  return sum;
}

// As exec wants them; they point into `command`.
std::vector<char*> pointers_to(std::vector<std::string>& command) {
  std::vector<char*> pointers(command.size() + 1, nullptr);
  std::ranges::transform(command, pointers.begin(), [](std::string& word) { return word.data(); });
  return pointers;
}

}  // namespace

void give_up(const char* what) {
  std::fprintf(stderr, "bench: %s%s%s\n", what, errno ? ": " : "", errno ? std::strerror(errno) : "");
  std::exit(2);
}

void run_on(Cores cores) {
  static const cpu_set_t all = [] {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) give_up("sched_getaffinity");
    return set;
  }();
  cpu_set_t set = all;
  if (cores == Cores::one) {
    int last = CPU_SETSIZE - 1;
    while (last > 0 && !CPU_ISSET(last, &set)) --last;
    CPU_ZERO(&set);
    CPU_SET(last, &set);
  }
  if (::sched_setaffinity(0, sizeof set, &set) != 0) give_up("sched_setaffinity");
}

void raise_descriptor_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  errno = 0;
  if (limit.rlim_cur < 4000) give_up("a descriptor limit (ulimit -n) of 4000 or more is needed");
}

void run_to_end(std::vector<std::string> command) {
  std::vector<char*> arguments = pointers_to(command);
  pid_t pid = -1;
  errno = ::posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (errno != 0) give_up(arguments[0]);
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid || status != 0) give_up((command[0] + " failed").c_str());
}

std::int64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }

std::int64_t cpu_ns(pid_t pid) {
  clockid_t clock{};
  if (::clock_getcpuclockid(pid, &clock) != 0) give_up("a program under measurement is gone");
  return clock_ns(clock);
}

Process::Process(std::vector<std::string> command) {
  int output[2];
  if (::pipe2(output, O_CLOEXEC) != 0) give_up("pipe");
  std::vector<char*> arguments = pointers_to(command);
  started_at_ns_ = now_ns();
  pid_ = ::fork();
  if (pid_ < 0) give_up("fork");
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(output[1], STDOUT_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(output[1]);
  output_ = output[0];
  for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) first_line_ += c;
  if (first_line_.empty()) give_up((command[0] + " did not start").c_str());
}

Process::Process(std::vector<std::string> command, const std::vector<std::string>& environment) {
  std::vector<char*> arguments = pointers_to(command);
  started_at_ns_ = now_ns();
  pid_ = ::fork();
  if (pid_ < 0) give_up("fork");
  if (pid_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const std::string& variable : environment) ::putenv(const_cast<char*>(variable.c_str()));
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, fd);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)),
      started_at_ns_(other.started_at_ns_),
      first_line_(std::move(other.first_line_)) {}

Process::~Process() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  for (int waited_ms = 0; ::waitpid(pid_, nullptr, WNOHANG) == 0; ++waited_ms) {
    if (waited_ms == longest_end_ms) ::kill(pid_, SIGKILL);
    ::usleep(1000);
  }
  if (output_ >= 0) ::close(output_);
}

std::int64_t resident_bytes(pid_t pid) { return sum_of(proc_file(pid, "smaps_rollup"), "Rss") * 1024; }
std::int64_t private_bytes(pid_t pid) { return sum_of(proc_file(pid, "smaps_rollup"), "Private_") * 1024; }
std::int64_t peak_resident_bytes(pid_t pid) { return sum_of(proc_file(pid, "status"), "VmHWM") * 1024; }
int thread_count(pid_t pid) { return static_cast<int>(sum_of(proc_file(pid, "status"), "Threads")); }

std::int64_t wake_ups(pid_t pid) {
  const std::string threads = "/proc/" + std::to_string(pid) + "/task";
  DIR* const folder = ::opendir(threads.c_str());
  if (!folder) give_up(threads.c_str());
  std::int64_t sum = 0;
  while (const dirent* entry = ::readdir(folder))
    if (entry->d_name[0] != '.') sum += sum_of(read_file(threads + "/" + entry->d_name + "/status"), "voluntary_ctxt_switches");
  ::closedir(folder);
  return sum;
}

std::vector<pid_t> children_of(pid_t pid) {
  const std::string text = proc_file(pid, ("task/" + std::to_string(pid) + "/children").c_str());
  std::vector<pid_t> children;
  for (const char* at = text.c_str(); *at;) {
    char* end = nullptr;
    const long child = std::strtol(at, &end, 10);
    if (end == at) break;
    children.push_back(static_cast<pid_t>(child));
    at = end;
  }
  return children;
}

}  // namespace bench
