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

namespace {

// Of the desktop's kinds of folders: what a variable says, else one below home.
std::string folder_of(const char* variable, const char* below_home) {
  const char* folder = std::getenv(variable);
  if (folder && *folder == '/') return folder;  // a relative one does not count, says their specification
  const char* home = std::getenv("HOME");
  return std::string(home && *home ? absolute_path(home) : "") + below_home;
}

}  // namespace

std::string data_directory() { return folder_of("XDG_DATA_HOME", "/.local/share") + "/sandbox-agent"; }
std::string manifest_directory() { return folder_of("XDG_CONFIG_HOME", "/.config") + "/sandbox-agent/agents"; }
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
