// The command table: dispatch, help and the reference pages read it. A command is one row here and one file beside it.
#pragma once

#include <span>
#include <string_view>

namespace sa {

using Arguments = std::span<const std::string_view>;

struct Command {
  std::string_view name;
  std::string_view usage;
  std::string_view summary;
  int (*run)(Arguments arguments);
  bool hidden = false;
};

std::span<const Command> commands();
int run_command(Arguments arguments);

int run_server_command(Arguments arguments);
int run_agents_command(Arguments arguments);
int run_version_command(Arguments arguments);
int run_help_command(Arguments arguments);
int run_reference_command(Arguments arguments);
int run_mock_agent_command(Arguments arguments);

}  // namespace sa
