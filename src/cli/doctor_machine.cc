// Of doctor_checks.h: the program itself, its folders and its port.
#include <arpa/inet.h>
#include <dirent.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/shell_words.h"
#include "base/unique_fd.h"
#include "base/version.h"
#include "cli/doctor_checks.h"
#include "daemon/places.h"
#include "daemon/port_holder.h"
#include "files/names_in.h"
#include "io/proxy_choice.h"

namespace sa {
namespace {

using enum CheckState;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t little_space = 1024 * mebibyte;
constexpr std::uint64_t no_space = 50 * mebibyte;
constexpr std::string_view token_files = "server-";  // what the names of files that hold a token begin with

// The folder itself, or what of the way to it is there.
std::string existing(std::string folder) {
  while (folder.size() > 1 && ::access(folder.c_str(), F_OK) != 0) {
    const std::size_t slash = folder.rfind('/');
    folder.resize(slash == std::string::npos || slash == 0 ? 1 : slash);
  }
  return folder;
}

std::string size_words(std::uint64_t bytes) {
  if (bytes >= little_space) return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(little_space));
  return fmt::format("{} MiB", bytes / mebibyte);
}

// errno of making something in a folder, which is taken away at once; 0: it can be done. To be allowed to is not enough: there
// are file systems that keep nothing.
int try_making(const std::string& folder) {
  std::string made = folder + "/.sandbox-agent-XXXXXX";
  if (!::mkdtemp(made.data())) return errno;
  ::rmdir(made.c_str());
  return 0;
}

// errno of taking the port on the loopback address; 0: it is free.
int try_port(std::uint16_t port) {
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}

}  // namespace

Check check_binary() {
  const Platform platform = look_at_platform();
  return {"binary", fine,
          fmt::format("sandbox-agent {}, {} glibc {}; {} {} on {}", version,
                      build_is_static ? "statically linked with" : "linked with", ::gnu_get_libc_version(), platform.system,
                      platform.kernel, platform.machine)};
}

Check check_data_folder(const std::string& folder) {
  const std::string there = existing(folder);
  struct stat info{};
  const std::string fix = fmt::format("chmod u+rwx {}, or set XDG_DATA_HOME to a folder you may write to", shell_quoted(there));
  if (::stat(there.c_str(), &info) != 0)
    return {"data folder", bad, fmt::format("{} cannot be looked at: {}", there, errno_text(errno)), fix};
  if (!S_ISDIR(info.st_mode))
    return {"data folder", bad, fmt::format("{} is not a folder", there),
            fmt::format("Move {} away, or set XDG_DATA_HOME to another folder", shell_quoted(there))};
  if (::access(there.c_str(), W_OK | X_OK) != 0)
    return {"data folder", bad, fmt::format("{} cannot be written to: {}", there, errno_text(errno)), fix};
  if (const int error = try_making(there))
    return {"data folder", bad, fmt::format("Nothing can be made in {}: {}", there, errno_text(error)),
            "Set XDG_DATA_HOME to a folder you may write to"};
  return {"data folder", fine, there == folder ? folder : fmt::format("{} will be made when it is needed", folder)};
}

Check judge_space(std::uint64_t free_bytes, const std::string& folder) {
  Check check{"free space", fine, fmt::format("{} are free for {}", size_words(free_bytes), folder)};
  if (free_bytes >= little_space) return check;
  check.state = free_bytes < no_space ? bad : warning;
  check.fix = "Make room: an agent takes 100 to 600 MiB. Or set XDG_DATA_HOME to a folder on another disk";
  return check;
}

Check check_free_space(const std::string& folder) {
  struct statvfs info{};
  if (::statvfs(existing(folder).c_str(), &info) != 0)
    return {"free space", warning, fmt::format("It is not known how much is free for {}: {}", folder, errno_text(errno))};
  return judge_space(std::uint64_t{info.f_bavail} * info.f_frsize, folder);
}

Check check_port(std::uint16_t port, bool is_demanded) {
  const std::string name = fmt::format("port {}", port);
  const int taken = try_port(port);
  if (taken == 0) return {name, fine, "It is free"};
  const std::string fix =
      is_demanded ? "Set SANDBOX_AGENT_PORT to another one, or to nothing"
                  : "'run' and 'up' take another one; for a daemon of your own: sandbox-agent daemon start --port 0";
  if (taken != EADDRINUSE) return {name, bad, fmt::format("It cannot be used: {}", errno_text(taken)), fix};
  const PortHolder holder = find_port_holder(port);
  if (holder.is_ours) return {name, fine, fmt::format("Held by {}", holder.text)};
  return {name, is_demanded ? bad : warning, fmt::format("{} holds it", holder.text.empty() ? "Another program" : holder.text),
          fix};
}

Check check_state_files(const std::string& folder) {
  std::vector<std::string> open;
  std::size_t count = 0;
  for (const std::string& name : names_in(folder)) {
    const std::string path = fmt::format("{}/{}", folder, name);
    struct stat info{};
    if (!name.starts_with(token_files) || ::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    ++count;
    if ((info.st_mode & 0077) != 0) open.push_back(shell_quoted(path));
  }
  if (!open.empty())
    return {"token files", bad, fmt::format("Others may read or change {} of {} in {}", open.size(), count, folder),
            fmt::format("chmod 600 {}", fmt::join(open, " "))};
  return {"token files", fine,
          count == 0 ? fmt::format("There are none in {}", folder) : fmt::format("Only you may read those in {}", folder)};
}

Check check_proxy(const Environment& environment) {
  std::vector<std::string_view> set;
  for (std::string_view name :
       {"https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"})
    if (const auto value = environment(name); value && !value->empty()) set.push_back(name);
  if (set.empty()) return {"proxy", fine, "No proxy variable is set"};
  for (const bool secure : {true, false})
    if (const auto proxy = choose_proxy({.secure = secure, .host = "example.com", .port = 443}, environment); !proxy)
      return {"proxy", warning, proxy.error(), "Set the variable to an address such as http://proxy.example:3128"};
  return {
      "proxy", fine,
      fmt::format("{} {} set; this machine itself is reached directly", fmt::join(set, ", "), set.size() == 1 ? "is" : "are")};
}

std::vector<Check> check_machine(std::uint16_t port, const Environment& environment) {
  const Platform platform = look_at_platform();
  return {check_binary(),
          check_data_folder(data_directory()),
          check_free_space(data_directory()),
          check_port(port, environment("SANDBOX_AGENT_PORT") == std::to_string(port)),
          check_state_files(state_directory()),
          check_proxy(environment),
          check_inotify(platform),
          check_pty(),
          check_cgroup(platform),
          check_landlock(),
          check_openat2(platform)};
}

}  // namespace sa
