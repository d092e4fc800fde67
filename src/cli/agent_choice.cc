#include "cli/agent_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_codes.h"
#include "base/json_members.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "client/message.h"

namespace sa {
namespace {

namespace json = boost::json;

OfferedAgent read_agent(const json::object& agent) {
  OfferedAgent offered{.id = std::string(string_member(agent, "id")),
                       .installed = true_member(agent, "installed"),
                       .built_in = string_member(object_member(agent, "install"), "source") == "builtin",
                       .has_key = string_member(agent, "credentials") == "found",
                       .needs_no_key = string_member(agent, "credentials") == "not_needed",
                       .key_place = std::string(string_member(agent, "credentialsPlace")),
                       .version = std::string(string_member(agent, "version"))};
  for (const json::value& alias : array_member(agent, "aliases"))
    if (alias.is_string()) offered.aliases.emplace_back(alias.get_string());
  return offered;
}

std::string found_text(const OfferedAgent& agent) { return fmt::format("found {}", agent.key_place); }

}  // namespace

Outcome<std::vector<OfferedAgent>> read_agents(std::string_view document) {
  const auto value = read_json(document);
  if (!value || !value->is_object())
    return failed({.what = "the daemon's list of agents cannot be read", .what_to_do = "another --endpoint"});
  std::vector<OfferedAgent> agents;
  for (const json::value& agent : array_member(value->get_object(), "agents"))
    if (agent.is_object()) agents.push_back(read_agent(agent.get_object()));
  return agents;
}

AgentChoice choose_agent(const std::vector<OfferedAgent>& agents, const std::string& option, const std::string& variable) {
  if (!option.empty()) return {option, std::string(by_option)};
  if (!variable.empty()) return {variable, "by SANDBOX_AGENT_AGENT"};
  const auto is_ready = [](const OfferedAgent& agent) { return agent.has_key && agent.installed; };
  const auto ready = std::ranges::find_if(agents, is_ready);
  if (std::ranges::count_if(agents, is_ready) == 1)
    return {ready->id, fmt::format("{}; the only installed one with a key", found_text(*ready))};
  if (const auto first = std::ranges::find_if(agents, &OfferedAgent::has_key); first != agents.end())
    return {first->id, found_text(*first)};
  if (const auto demo = std::ranges::find_if(agents, &OfferedAgent::built_in); demo != agents.end())
    return {demo->id, "no model credentials found", true};
  if (const auto other = std::ranges::find_if(agents, &OfferedAgent::needs_no_key); other != agents.end())
    return {other->id, "no model credentials found; it needs none"};
  return {"", "no model credentials were found, and every agent needs some"};
}

Failure unknown_agent(const std::string& name, std::span<const std::string> known) {
  const std::string shown = repair_utf8(name, 64);
  std::string_view meant;
  std::size_t least = std::max<std::size_t>(1, shown.size() / 3) + 1;
  for (const std::string& id : known)
    if (const std::size_t distance = distance_between(shown, id); distance < least) {
      least = distance;
      meant = id;
    }
  return {
      .exit = Exit::agent,
      .what = fmt::format("there is no agent '{}'", shown),
      .why = fmt::format("{}known agents: {}", meant.empty() ? "" : fmt::format("is it '{}'? ", meant), fmt::join(known, ", ")),
      .what_to_do = "sandbox-agent agents list   — or any other: sandbox-agent up -- <command>",
      .code = std::string(error_row(ErrorCode::unsupported_agent).word)};
}

const OfferedAgent* find_agent(const std::vector<OfferedAgent>& agents, std::string_view name) {
  const auto found = std::ranges::find_if(agents, [name](const OfferedAgent& agent) {
    return agent.id == name || std::ranges::find(agent.aliases, name) != agent.aliases.end();
  });
  return found == agents.end() ? nullptr : &*found;
}

}  // namespace sa
