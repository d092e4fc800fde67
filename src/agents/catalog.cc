#include "agents/catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/utf8.h"
#include "base/words.h"

namespace sa {
namespace {

constexpr std::size_t most_suggestions = 5;

AgentPtr launcher_agent(const std::string& id) {
  Agent agent{.origin = AgentOrigin::launcher};
  agent.manifest.id = id;
  agent.manifest.name = id;
  return std::make_shared<const Agent>(std::move(agent));
}

bool is_named(const AgentPtr& agent, std::string_view name) {
  return agent->manifest.id == name || std::ranges::find(agent->manifest.aliases, name) != agent->manifest.aliases.end();
}

}  // namespace

Result<Manifest> parse_agent_flag(const std::string& text) {
  const std::size_t equals = text.find('=');
  Manifest manifest;
  manifest.id = text.substr(0, equals);
  manifest.name = manifest.id;
  if (equals == std::string::npos || !is_agent_id(manifest.id))
    return fail(ErrorCode::invalid_request,
                fmt::format("'{}' is not of the form id=command line (the id: letters, digits, . _ -)", text));
  auto words = split_words(std::string_view(text).substr(equals + 1));
  if (!words || words->empty())
    return fail(ErrorCode::invalid_request,
                fmt::format("the command line of agent '{}' is empty or has an open quote", manifest.id));
  manifest.command = std::move(*words);
  return manifest;
}

Catalog::Catalog(std::vector<Agent> agents, Store store) : store_(std::move(store)) {
  for (Agent& agent : agents) {
    std::erase_if(agents_, [&](const AgentPtr& earlier) { return earlier->manifest.id == agent.manifest.id; });
    agents_.push_back(std::make_shared<const Agent>(std::move(agent)));
  }
}

std::vector<AgentPtr> Catalog::agents() const {
  std::vector<AgentPtr> all = agents_;
  for (const std::string& id : store_.launched())
    if (std::ranges::none_of(agents_, [&](const AgentPtr& agent) { return agent->manifest.id == id; }))
      all.push_back(launcher_agent(id));
  std::ranges::sort(all, {}, [](const AgentPtr& agent) { return std::pair(agent->manifest.order, agent->manifest.id); });
  return all;
}

AgentPtr Catalog::known(const std::string& id) const {
  for (const AgentPtr& agent : agents_)
    if (agent->manifest.id == id) return agent;
  return nullptr;
}

Result<AgentPtr> Catalog::find(const std::string& name) const {
  if (AgentPtr agent = known(name)) return agent;
  if (is_agent_id(name) && store_.look(name).found != Store::Found::nothing) return launcher_agent(name);
  for (const AgentPtr& agent : agents_)
    if (is_named(agent, name)) return agent;
  return fail(unsupported(name));
}

Error Catalog::unsupported(const std::string& name) const {
  std::vector<std::string> ids;
  for (const AgentPtr& agent : agents()) ids.push_back(agent->manifest.id);
  const std::string shown = repair_utf8(name, 64);
  std::ranges::sort(ids, {}, [&](const std::string& id) { return std::pair(distance_between(id, shown), id); });
  if (ids.size() > most_suggestions) ids.resize(most_suggestions);
  return Error{ErrorCode::unsupported_agent,
               fmt::format("There is no agent '{}'. The nearest names: {}. Others can be offered with --agent {}=<command>.",
                           shown, fmt::join(ids, ", "), is_agent_id(name) ? name : "my-agent"),
               {}}
      .with_text("agent", shown)
      .with_json("suggestions", to_json(ids));
}

}  // namespace sa
