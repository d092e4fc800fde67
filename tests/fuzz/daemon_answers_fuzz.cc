// The input is what a daemon, perhaps none of ours, answers to the command line: a list of agents or of instances, how far an
// install is, its health. Held: agents are the objects a plain reading finds, whoever is chosen or found is among them, and the
// choice is said; a document that is read is the same when it is written anew; a shell is offered the ids that a plain reading
// finds, each of one line; an install's progress is told by its phase or its share.
// Inputs: at most 1024 bytes.
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "api/acp_documents.h"
#include "api/health_documents.h"
#include "base/shape_read.h"
#include "base/utf8.h"
#include "cli/agent_choice.h"
#include "cli/completion_candidates.h"
#include "cli/progress_line.h"
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

// Members as a pointer finds them.
std::string text_at(const json::value& value, std::string_view pointer) {
  json::error_code missing;
  const json::value* found = value.find_pointer(pointer, missing);
  return found && found->is_string() ? std::string(found->get_string()) : "";
}

void check_completion(std::string_view document) {
  std::vector<std::string> expected;
  const auto value = read_json(document);
  json::error_code missing;
  const json::value* list = value ? value->find_pointer("/servers", missing) : nullptr;
  if (list && value->is_object() && list->is_array())
    for (const json::value& each : list->get_array())
      if (const std::string id = text_at(each, "/serverId"); each.is_object() && !id.empty())
        if (is_printable_utf8(id + text_at(each, "/agent"))) expected.push_back(id);
  const auto offered = instances_in(document);
  hold(std::ranges::equal(offered, expected, {}, &Candidate::word), "a shell is offered the ids there are");
  for (const Candidate& each : offered) hold(is_printable_utf8(each.word + each.help), "each on one line");
}

void check_progress(std::string_view document) {
  const auto progress = read_progress(document);
  if (!progress) return;
  const std::string text = progress_text("tin", progress->phase, progress->bytes, progress->total, Millis(0));
  const bool is_share = text.contains(" %  ");
  hold(is_share || text.contains(progress->phase), "progress is told by its phase, or as a share");
  hold(text.size() <= progress->phase.size() + 160, "in a short line");
}

template <class T>
Result<T> read_document(std::string_view text) {
  TRY(const auto value, parse_json(text));
  return from_json<T>(value);
}

template <class T>
void check_document(std::string_view text) {
  const auto document = read_document<T>(text);
  if (!document) return hold_refusal(document.error());
  hold_stable(*document, read_document<T>);
}

void check(std::string_view input) {
  check_agents(input);
  check_completion(input);
  check_progress(input);
  check_document<ServerList>(input);
  check_document<HealthDocument>(input);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
