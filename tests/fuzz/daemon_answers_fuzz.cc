// The input is what a daemon, perhaps none of ours, answers to the command line: a list of agents, or of instances. Held:
// agents are the objects a plain reading finds, whoever is chosen or found is among them, and the choice is said; a list of
// instances that is read is the same when it is written anew.
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "api/acp_documents.h"
#include "base/shape_read.h"
#include "cli/agent_choice.h"
#include "client/message.h"
#include "documents.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

void check_agents(std::string_view document) {
  const auto agents = read_agents(document);
  const auto value = read_json(document);
  hold(agents.has_value() == (value && value->is_object()), "a list of agents is an object");
  if (!agents) return hold(!agents.error().what.empty(), "a refusal is a sentence");
  const json::value* list = value->get_object().if_contains("agents");
  const std::size_t expected = list && list->is_array()
                                   ? static_cast<std::size_t>(std::ranges::count_if(
                                         list->get_array(), [](const auto& each) { return each.is_object(); }))
                                   : 0;
  hold(agents->size() == expected, "every object is an agent");

  const auto has_id = [&](std::string_view id) { return std::ranges::find(*agents, id, &OfferedAgent::id) != agents->end(); };
  const AgentChoice choice = choose_agent(*agents, "", "");
  hold(!choice.reason.empty(), "a choice is explained");
  hold(choice.agent.empty() || has_id(choice.agent), "who is chosen is offered");
  if (std::ranges::any_of(*agents, [](const OfferedAgent& agent) { return agent.has_key && !agent.id.empty(); }))
    hold(!choice.is_demo, "a key goes before the demo");
  hold(choose_agent(*agents, "option", "variable").agent == "option", "an option goes before all");
  hold(choose_agent(*agents, "", "variable").agent == "variable", "and a variable before the rest");
  for (const OfferedAgent& agent : *agents) {
    hold(find_agent(*agents, agent.id) != nullptr, "an agent is found by its id");
    for (const std::string& alias : agent.aliases) hold(find_agent(*agents, alias) != nullptr, "and by its other names");
  }
}

Result<ServerList> read_list(std::string_view text) {
  TRY(const auto value, parse_json(text));
  return from_json<ServerList>(value);
}

void check(std::string_view input) {
  check_agents(input);
  const auto list = read_list(input);
  if (!list) return hold_refusal(list.error());
  hold_stable(*list, read_list);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
