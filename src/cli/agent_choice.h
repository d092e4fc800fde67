// Which agent `run` talks to when there are many. The rule is always printed. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"

namespace sa {

// What of an agent of GET /v1/agents matters for the choice.
struct OfferedAgent {
  std::string id;
  std::vector<std::string> aliases;
  bool installed = false;
  bool built_in = false;
  bool has_key = false;
  bool needs_no_key = false;
  std::string key_place;  // the variable or file that has it
  std::string version;
};

// In catalog order. Failure: the daemon answered something else.
Outcome<std::vector<OfferedAgent>> read_agents(std::string_view document);

inline constexpr std::string_view by_option = "by --agent";

struct AgentChoice {
  std::string agent;   // as it was named, or an id
  std::string reason;  // for people
  bool is_demo = false;
};

// --agent, SANDBOX_AGENT_AGENT, the only one that is installed and has a key, the first with a key, the built-in one.
AgentChoice choose_agent(const std::vector<OfferedAgent>& agents, const std::string& option, const std::string& variable);

const OfferedAgent* find_agent(const std::vector<OfferedAgent>& agents, std::string_view name);

// What is said of an agent that nobody knows, whoever was asked for it. `known`: the ids there are, which are told; of those
// the one that is near to the name is asked for.
Failure unknown_agent(const std::string& name, std::span<const std::string> known);

}  // namespace sa
