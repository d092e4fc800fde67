// The one binary: daemon, command line, demo agent, and the supervisor it re-executes itself as.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "io/supervisor.h"

namespace {

// A closed stdin, stdout or stderr would be the next descriptor we open, and our words would end up in it.
void hold_standard_descriptors() {
  for (int fd = 0; fd < 3; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0) (void)::open("/", O_RDONLY | O_DIRECTORY);
}

// Without memory nothing sensible can be done, not even to end in order. Agents end with us: their supervisors see to that.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view words = "sandbox-agent: out of memory: it ends, and its agents with it\n";
  [[maybe_unused]] const auto said = ::write(STDERR_FILENO, words.data(), words.size());
  _exit(EXIT_FAILURE);
}

}  // namespace

int main(int argc, char** argv) {
  // First and without any set-up: there is one supervisor per agent, and it must stay tiny.
  if (argc > 1 && std::string_view(argv[1]) == sa::supervisor_command) _exit(sa::run_supervisor(argc, argv));
  hold_standard_descriptors();
  std::set_new_handler(end_without_memory);
  const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return sa::run_command(arguments);
}
