#include "cli/agents_workshop.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/log.h"
#include "cli/agent_choice.h"
#include "daemon/server_state.h"

namespace sa {
namespace {

constexpr Millis stop_grace{500};

// The text of an extra, which is JSON.
std::string text_of(const Error& error, std::string_view name) {
  const std::string json = error.extra(name);
  return json.empty() ? "" : std::string(boost::json::parse(json).as_string());
}

Task<> run_work(Workshop& shop, Invocation& given, AgentsWork work, Outcome<Exit>& outcome) {
  outcome = co_await work(shop, given);
  shop.loop.stop();
}

}  // namespace

Workshop::Workshop(Console& terminal, const Settings& chosen, std::vector<Agent> known)
    : console(terminal),
      settings(chosen),
      processes(loop, stop_grace),
      parts(loop, processes, settings, std::move(known)),
      signals(loop, not_ignored({SIGINT, SIGTERM}), [this](int) { parts.stop(); }) {}

Failure Workshop::failure(const Error& error) const {
  if (parts.stopped()) return {.exit = Exit::interrupted, .what = "interrupted"};
  return failure_of_agents(console, error);
}

Outcome<AgentPtr> Workshop::find(const std::string& name) const { return find_agent(parts.catalog, name); }

Outcome<std::vector<AgentPtr>> Workshop::find(std::span<const std::string> names) const {
  std::vector<AgentPtr> agents;
  for (const std::string& name : names) {
    TRY(AgentPtr agent, find(name));
    const auto same = [&](const AgentPtr& other) { return other->manifest.id == agent->manifest.id; };
    if (std::ranges::none_of(agents, same)) agents.push_back(std::move(agent));
  }
  return agents;
}

Outcome<AgentPtr> find_agent(const Catalog& catalog, const std::string& name) {
  auto agent = catalog.find(name);
  if (agent) return *agent;
  if (agent.error().code != ErrorCode::unsupported_agent) return failed(failure_of(agent.error()));
  std::vector<std::string> ids;
  for (const AgentPtr& known : catalog.agents()) ids.push_back(known->manifest.id);
  return failed(unknown_agent(name, ids));
}

Failure failure_of_agents(const Console& console, const Error& error) {
  Failure failure = failure_of(error);
  if (!text_of(error, "stderr").empty()) {
    failure.more = fmt::format("its output ended with:\n{}", text_of(error, "stderr"));
    if (!console.verbose()) failure.what_to_do = "the same with --verbose, which shows its output";
  }
  return failure;
}

Outcome<std::vector<Agent>> all_known_agents(Console& console, const Settings& settings) {
  auto known = known_agents(settings, [&](const std::string& sentence) { console.warn(sentence); });
  if (!known) return failed({.exit = Exit::usage, .what = known.error().detail});
  return *known;
}

Outcome<Exit> run_in_workshop(Invocation& given, AgentsWork work, DaemonsAgents daemons) {
  TRY(Settings settings, given.settings());
  if (daemons == DaemonsAgents::known)
    if (const auto daemon = local_server()) settings.agents = daemon->agents;
  TRY(auto known, all_known_agents(given.console(), settings));
  log::set_level(log::Level::off);  // what matters here is said in words for people
  Workshop shop(given.console(), settings, std::move(known));
  Outcome<Exit> outcome = Exit::failure;
  spawn(run_work(shop, given, work, outcome));
  shop.loop.run();
  return outcome;
}

}  // namespace sa
