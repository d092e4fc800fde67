#include "daemon/places.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace sa {

std::string absolute_path(const std::string& path) {
  if (path.starts_with('/')) return path;
  char here[PATH_MAX];
  return std::string(::getcwd(here, sizeof here) ? here : "") + "/" + path;
}

namespace {

// Our user's, as the machine has it; empty when it has none. Not getpwuid(): it would load libraries into a static program.
std::string home_in_passwd() {
  const std::string user = std::to_string(::getuid());
  std::ifstream passwd("/etc/passwd");
  for (std::string line; std::getline(passwd, line);) {
    std::istringstream fields(line);
    std::string name, secret, id, group, comment, home;
    for (std::string* field : {&name, &secret, &id, &group, &comment, &home}) std::getline(fields, *field, ':');
    if (id == user && home.starts_with('/')) return home;
  }
  return "";
}

// Without a slash at its end; empty: the root. A relative one does not count: it would be another place for the daemon.
std::string home_prefix() {
  const char* given = std::getenv("HOME");
  std::string home = given && *given == '/' ? given : home_in_passwd();
  while (home.ends_with('/')) home.pop_back();
  return home;
}

// Of the desktop's kinds of folders: what a variable says, else one below home.
std::string folder_of(const char* variable, const char* below_home) {
  const char* folder = std::getenv(variable);
  if (folder && *folder == '/') return folder;  // a relative one does not count, says their specification
  return home_prefix() + below_home;
}

}  // namespace

std::string home_directory() {
  std::string home = home_prefix();
  return home.empty() ? "/" : home;
}

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
