// What commands about this machine's agents work with: the agents room on a loop of its own, without a daemon, for as long as
// the command runs. Ctrl-C ends what is under way in an orderly manner. One thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/settings.h"
#include "cli/invocation.h"
#include "daemon/agent_parts.h"
#include "io/signal_watch.h"

namespace sa {

struct Workshop {
  Workshop(Console& terminal, const Settings& chosen, std::vector<Agent> known);

  Console& console;
  const Settings settings;
  Loop loop;
  Processes processes;
  AgentParts parts;
  SignalWatch signals;

  // Why it failed, in words for people; interrupted when that is the cause.
  Failure failure(const Error& error) const;
  // By id or alias. Failure: agent, with the names somebody may have meant.
  Outcome<AgentPtr> find(const std::string& name) const;
  Outcome<std::vector<AgentPtr>> find(std::span<const std::string> names) const;  // each once
};

// The server's settings these commands take.
inline constexpr std::string_view agents_settings[] = {"--agents-dir", "--registry-url", "--max-artifact-bytes",
                                                       "--install-timeout-ms"};

// By id or alias. Failure: there is none, with the names there are.
Outcome<AgentPtr> find_agent(const Catalog& catalog, const std::string& name);

// An error of the agents room in words for people.
Failure failure_of_agents(const Console& console, const Error& error);

// Every agent there is, with a warning for a manifest that cannot be used. Failure: usage.
Outcome<std::vector<Agent>> all_known_agents(Console& console, const Settings& settings);

// Makes a workshop, runs the work in it to its end; with the agents that the daemon of this machine was given by command too,
// when it is to know them. Failure: usage, and the work's.
using AgentsWork = Task<Outcome<Exit>> (*)(Workshop& shop, Invocation& given);
enum class DaemonsAgents : std::uint8_t { unknown, known };
Outcome<Exit> run_in_workshop(Invocation& given, AgentsWork work, DaemonsAgents daemons = DaemonsAgents::unknown);

}  // namespace sa
