#include "cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/version.h"
#include "mock_agent/mock_agent.h"

namespace sa {
namespace {

constexpr Command table[] = {
    {"server", "server [options]", "run the daemon in the foreground", run_server_command},
    {"agents", "agents [list|install|…]", "this machine's agents: install, remove, bundle", run_agents_command},
    {"version", "version [--json]", "print the version", run_version_command},
    {"help", "help [command]", "print this help, or a command's", run_help_command},
    {"mock-agent", "mock-agent", "be the demo agent on stdin and stdout", run_mock_agent_command, true},
    {"reference", "reference PAGE", "print a reference page as Markdown", run_reference_command, true},
};

}  // namespace

std::span<const Command> commands() { return table; }

int run_command(Arguments arguments) {
  if (arguments.empty()) return run_help_command({}), 2;
  std::string_view name = arguments.front();
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version" || name == "-V") name = "version";
  for (const Command& command : table)
    if (command.name == name) return command.run(arguments.subspan(1));
  fmt::print(stderr, "error: there is no command '{}'\n  try: sandbox-agent help\n", name);
  return 2;
}

int run_version_command(Arguments arguments) {
  if (arguments.empty()) {
    fmt::print("sandbox-agent {}\n", version);
    return 0;
  }
  if (arguments.size() == 1 && arguments.front() == "--json") {
    fmt::print("{{\"name\":\"sandbox-agent\",\"version\":\"{}\"}}\n", version);
    return 0;
  }
  if (arguments.front() == "--help" || arguments.front() == "-h") {
    fmt::print("sandbox-agent version [--json]\n\nPrints the version.\n");
    return 0;
  }
  fmt::print(stderr, "error: unknown option '{}'\n  try: sandbox-agent version --json\n", arguments.front());
  return 2;
}

int run_help_command(Arguments arguments) {
  if (!arguments.empty() && arguments.front() != "help" && !arguments.front().starts_with('-')) {
    const std::string_view of_command[] = {arguments.front(), "--help"};
    return run_command(of_command);
  }
  fmt::print("sandbox-agent {} — coding agents behind one HTTP API\n\n", version);
  for (const Command& command : table)
    if (!command.hidden) fmt::print("  sandbox-agent {:<24} {}\n", command.usage, command.summary);
  fmt::print("\nEvery command explains itself with --help.\n");
  return 0;
}

int run_mock_agent_command(Arguments) { return run_mock_agent(STDIN_FILENO, STDOUT_FILENO); }

}  // namespace sa
