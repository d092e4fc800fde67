// What every `sandbox-agent api …` does: one request, its answer on stdout.
#include "cli/api_output.h"
#include "cli/api_request.h"
#include "cli/interrupt.h"
#include "cli/server_choice.h"

namespace sa {

Outcome<Exit> call_endpoint(Invocation& given) {
  const ApiCall& call = api_call_of(given.command());
  const InterruptFlag interrupt;
  TRY(const ApiRequest request, api_request(call, given, interrupt.flag()));
  TRY(const ChosenServer server, choose_server(given));
  TRY(ApiOutput output, ApiOutput::begin(wanted_answer(call, given), given));
  auto answer = call_api(server.address, request, [&output](std::string_view bytes) { return output.take(bytes); });
  if (!answer && interrupt.flag()) return failed({.exit = Exit::interrupted, .what = "interrupted"});
  if (!answer && given.console().reader_left()) return Exit::success;  // whoever had enough, such as head
  if (!answer) return failed(std::move(answer).error());
  return output.end(*answer);
}

}  // namespace sa
