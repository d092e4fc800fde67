// The objects of the agents room, put together: for the daemon, and for commands that work without one. Members are built in
// this order and destroyed in the opposite one. Loop thread only.
#pragma once

#include "agents/agents.h"
#include "agents/offers.h"
#include "base/settings.h"

namespace sa {

// The built-in agents, the user's manifests (`complain` gets a sentence for each that cannot be used) and --agent, in this
// order. Error: invalid_request for an --agent that is none, and an --agents-dir that cannot be read.
Result<std::vector<Agent>> known_agents(const Settings& settings, const std::function<void(const std::string&)>& complain);

struct AgentParts {
  AgentParts(Loop& loop, Processes& processes, const Settings& settings, std::vector<Agent> known);

  Store store;
  Registry registry;
  Surroundings surroundings;
  Catalog catalog;
  WorkerPool pool;       // of its own: whoever waits for another disk holds up no start of an agent
  WorkerPool slow_pool;  // of its own, too: downloads last
  Installer installer;
  Offers offers;
  Agents agents;

  void stop() { installer.stop(); }  // ends installs and questions under way
  const StopFlag& stopped() const { return installer.stopped(); }
};

}  // namespace sa
