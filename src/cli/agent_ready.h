// An agent that can be started: looked up at the daemon, chosen, installed with its progress shown. Blocking.
#pragma once

#include "cli/agent_choice.h"
#include "cli/used_server.h"

namespace sa {

struct ReadyAgent {
  std::string id;
  std::string key;  // the variable that has its key; empty when it is not known
  bool is_demo = false;
};

// Which agent, and that it is installed. May replace a daemon that lacks keys this command has by one that has them.
Outcome<ReadyAgent> ready_agent(Invocation& given, UsedServer& server);

// A line when the daemon of this machine finds keys where this command does not, or does not where it does. Nothing when none
// runs: it is asked once and briefly.
void tell_other_keys(Console& console);

}  // namespace sa
