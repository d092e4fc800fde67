#include "daemon/places.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>

namespace sa {

std::string absolute_path(const std::string& path) {
  if (path.starts_with('/')) return path;
  char here[PATH_MAX];
  return std::string(::getcwd(here, sizeof here) ? here : "") + "/" + path;
}

std::string home_directory() {
  const char* home = std::getenv("HOME");
  return home && *home ? absolute_path(home) : "/";
}

std::string data_directory() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data && *data) return std::string(data) + "/sandbox-agent";
  const char* home = std::getenv("HOME");
  return std::string(home && *home ? home : "") + "/.local/share/sandbox-agent";
}

std::string launcher_directory() { return data_directory() + "/bin/agent_processes"; }
std::string state_directory() { return data_directory() + "/daemon"; }

std::string own_binary() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length > 0 && length < PATH_MAX) {
    const std::string binary(path, static_cast<std::size_t>(length));
    if (::access(binary.c_str(), X_OK) == 0) return binary;
  }
  return "/proc/self/exe";
}

}  // namespace sa
