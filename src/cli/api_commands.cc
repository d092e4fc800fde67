#include "cli/api_commands.h"

#include <boost/json.hpp>
#include <cstdlib>
#include <deque>
#include <optional>

#include "api/schema.h"
#include "cli/api_documents.h"

namespace sa {
namespace {

// A command, and all that its row points at.
struct Made {
  std::string name;
  ApiCall call;
  std::vector<Argument> arguments;
  std::vector<Option> options;
};

void add(Made& made, const ApiInput& input) {
  if (input.is_argument()) {
    made.arguments.push_back({.name = input.name,
                              .help = input.help,
                              .count = input.required ? Argument::Count::one : Argument::Count::optional,
                              .completes = input.completes,
                              .words = input.words});
  } else {
    made.options.push_back({.name = input.name,
                            .short_name = input.place == ApiInput::Place::output ? "-o" : "",
                            .value = input.value,
                            .help = input.help,
                            .completes = input.completes,
                            .words = input.words});
  }
}

// An install tells how it goes with --json; else the answer's own document counts.
JsonOutput json_of(const Endpoint& endpoint) {
  if (may_stream(endpoint)) return {JsonOutput::Kind::lines, "One document per event.", stream_event_schema};
  switch (answer_kind_of(endpoint)) {
    case ApiAnswerKind::text: return {JsonOutput::Kind::document, "The text.", schema_of<ApiText>};
    case ApiAnswerKind::bytes:
      return {JsonOutput::Kind::document, "How much was written to --output, which it needs.", schema_of<ApiSaved>};
    case ApiAnswerKind::events:
    case ApiAnswerKind::nothing: return {JsonOutput::Kind::document, "The status of the answer.", schema_of<ApiStatus>};
    case ApiAnswerKind::json: break;
  }
  for (const Answer& answer : endpoint.answers)
    if (answer.status / 100 == 2 && answer.schema) return {JsonOutput::Kind::document, "The answer.", answer.schema};
  std::abort();  // a JSON answer without a schema is our mistake
}

const std::deque<Made>& all_made() {
  static const std::deque<Made> all = [] {
    std::deque<Made> made;
    for (const Endpoint& endpoint : endpoints()) {
      if (endpoint.command.empty()) continue;
      Made& one = made.emplace_back("api " + std::string(endpoint.command), ApiCall{&endpoint, inputs_of(endpoint)});
      for (const ApiInput& input : one.call.inputs) add(one, input);
    }
    return made;
  }();
  return all;
}

}  // namespace

const std::vector<Command>& api_commands() {
  static const std::vector<Command> rows = [] {
    std::vector<Command> commands;
    for (const Made& made : all_made()) {
      const Endpoint& endpoint = *made.call.endpoint;
      commands.push_back({.name = made.name,
                          .section = Section::api,
                          .summary = endpoint.summary,
                          .help = endpoint.help,
                          .arguments = made.arguments,
                          .options = made.options,
                          .shared = Shared::server,
                          .json = json_of(endpoint),
                          .run = call_endpoint});
    }
    return commands;
  }();
  return rows;
}

const ApiCall& api_call_of(const Command& command) {
  for (const Made& made : all_made())
    if (made.name == command.name) return made.call;
  std::abort();
}

}  // namespace sa
