// The one binary: daemon, command line, demo agent, and the supervisor it re-executes itself as.
#include <unistd.h>

#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "io/supervisor.h"

int main(int argc, char** argv) {
  // First and without any set-up: there is one supervisor per agent, and it must stay tiny.
  if (argc > 1 && std::string_view(argv[1]) == sa::supervisor_command) _exit(sa::run_supervisor(argc, argv));
  const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return sa::run_command(arguments);
}
