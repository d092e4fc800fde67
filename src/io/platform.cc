#include "io/platform.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "base/unique_fd.h"

namespace sa {
namespace {

bool opens(long descriptor) { return UniqueFd(static_cast<int>(descriptor)).get() >= 0; }

bool has_openat2() {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH;
  return opens(::syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof how));
}

bool has_pidfd() { return opens(::syscall(SYS_pidfd_open, ::getpid(), 0)); }

bool has_subreaper() {
  int on = 0;
  return ::prctl(PR_GET_CHILD_SUBREAPER, &on) == 0;
}

bool has_landlock() {
  constexpr unsigned version_of_the_interface = 1;
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, version_of_the_interface) > 0;
}

}  // namespace

Platform look_at_platform() {
  Platform platform;
  utsname names{};
  ::uname(&names);
  platform.system = names.sysname;
  platform.kernel = names.release;
  platform.machine = names.machine;
  platform.processors = static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_ONLN));
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  platform.descriptor_limit = limit.rlim_cur;
  platform.features = {
      {"cgroup2", ::access("/sys/fs/cgroup/cgroup.controllers", R_OK) == 0},
      {"childSubreaper", has_subreaper()},
      {"inotify", opens(::inotify_init1(IN_CLOEXEC))},
      {"landlock", has_landlock()},
      {"openat2", has_openat2()},
      {"pidfd", has_pidfd()},
      {"pty", opens(::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))},
  };
  return platform;
}

MemoryUse memory_use() {
  MemoryUse use;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {  // the first one holds our name, which may be anything
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "VmRSS:") words >> use.resident;
    if (name == "VmHWM:") words >> use.peak;
    if (name == "Threads:") words >> use.threads;
  }
  use.resident *= 1024;
  use.peak *= 1024;
  return use;
}

std::optional<std::uint64_t> resident_bytes(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  if (!(file >> total >> resident)) return std::nullopt;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace sa
