#include "cli/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cli/environment.h"

extern char** environ;

namespace sa {
namespace {

std::string opener() {
  if (is_set("BROWSER")) return *from_environment("BROWSER");
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") ? "xdg-open" : "";
}

}  // namespace

bool open_in_browser(const std::string& link) {
  std::string program = opener();
  if (program.empty()) return false;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  for (int fd = 0; fd < 3; ++fd) ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &own);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
  ::unsetenv("SANDBOX_AGENT_TOKEN");  // it has the link's
  std::string argument = link;
  char* words[] = {program.data(), argument.data(), nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, program.c_str(), &files, &attributes, words, environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  return error == 0;
}

}  // namespace sa
