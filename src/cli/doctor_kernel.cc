// Of doctor_checks.h: what the kernel offers, and the world outside.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "base/unique_fd.h"
#include "cli/doctor_checks.h"
#include "io/fetch.h"
#include "io/url_parts.h"

namespace sa {
namespace {

using enum CheckState;

constexpr std::uint64_t few_watches = 8192;
constexpr Millis reach_limit{2'000};

bool offers(const Platform& platform, const std::string& feature) {
  const auto found = platform.features.find(feature);
  return found != platform.features.end() && found->second;
}

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

// errno of making a terminal; 0: it works.
int try_terminal() {
  const UniqueFd terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  return terminal && ::grantpt(terminal.get()) == 0 && ::unlockpt(terminal.get()) == 0 ? 0 : errno;
}

}  // namespace

Check check_inotify(const Platform& platform, const std::string& limits) {
  if (!offers(platform, "inotify"))
    return {"inotify", warning, "Not available: agents that watch files may miss changes",
            "sysctl fs.inotify.max_user_instances=512"};
  const auto watches = number_in(limits + "/max_user_watches");
  const auto instances = number_in(limits + "/max_user_instances");
  if (!watches || !instances) return {"inotify", fine, "Available"};
  Check check{"inotify", fine, fmt::format("Available, with {} watches and {} instances for a user", *watches, *instances)};
  if (*watches >= few_watches) return check;
  check.state = warning;
  check.fix = "sysctl fs.inotify.max_user_watches=65536";
  return check;
}

Check check_pty() {
  const int failed = try_terminal();
  if (failed == 0) return {"pty", fine, "Terminals can be made"};
  return {"pty", warning, fmt::format("No terminal can be made: {}", errno_text(failed)), "mount -t devpts devpts /dev/pts"};
}

Check check_cgroup(const Platform& platform) {
  if (offers(platform, "cgroup2")) return {"cgroup", fine, "Version 2"};
  return {"cgroup", fine, ::access("/sys/fs/cgroup/memory", F_OK) == 0 ? "Version 1" : "None is mounted; none is needed"};
}

Check check_landlock() {
  constexpr unsigned ask_version = 1;
  const long landlock = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version);
  if (landlock > 0) return {"landlock", fine, fmt::format("Version {}", landlock)};
  return {"landlock", warning, fmt::format("Not available: {}", errno_text(errno)),
          "Use Linux 5.13 or newer with landlock among its security modules, if you want agents confined"};
}

Check check_openat2(const Platform& platform) {
  if (offers(platform, "openat2")) return {"openat2", fine, "Available"};
  return {"openat2", warning, "Not available: paths are followed step by step instead, which is slower",
          "Use Linux 5.6 or newer, or let the container's seccomp profile pass openat2"};
}

Check reach(const std::string& url) {
  const auto parts = parse_url(url);
  if (!parts) return {"reach", bad, fmt::format("The address cannot be used: {}", parts.error())};
  const std::string name = fmt::format("reach {}", parts->host);
  FetchRequest request{.method = "HEAD", .url = url};
  request.connect_timeout = request.idle_timeout = request.total_timeout = reach_limit;
  request.max_redirects = 3;
  const TimePoint begin = Clock::now();
  const auto answer = fetch(request, [](std::string_view) { return Result<void>(); });
  if (!answer) return {name, bad, answer.error().text, "Look at the network, a firewall, or https_proxy"};
  const auto took = std::chrono::duration_cast<Millis>(Clock::now() - begin);
  return {name, fine, fmt::format("It answered {} after {} ms", answer->status, took.count())};
}

}  // namespace sa
