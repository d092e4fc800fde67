// What somebody wants of `sandbox-agent agents`, read from its words. A value.
#pragma once

#include <string>
#include <vector>

#include "agents/install_plan.h"
#include "base/settings.h"
#include "cli/commands.h"

namespace sa {

using Arguments = CommandWords;

struct AgentsOrder {
  std::string action = "list";
  std::vector<std::string> agents;
  InstallWishes wishes;
  std::string bundle;  // to install from
  std::string output;  // where one goes
  Settings settings;
};

// Error: invalid_request, a sentence.
Result<AgentsOrder> parse_agents_order(Arguments arguments);

// The help of the command.
void print_agents_help();

}  // namespace sa
