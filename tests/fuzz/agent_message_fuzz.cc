// The input is one line between a client and an agent. Held: our client and the demo agent read the same message that the proxy
// sees in it, with the id as it was spelled; whatever they answer is JSON with that id; half characters are replaced and
// nothing else; a problem document is told by its own code.
#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "acp/envelope.h"
#include "base/id_key.h"
#include "base/json_scan.h"
#include "base/surrogates.h"
#include "client/api_call.h"
#include "client/message.h"
#include "fuzz_input.h"
#include "mock_agent/rpc.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

void hold_answer(const std::string& answer, std::string_view raw_id, std::string_view member) {
  const JsonScan scan = scan_json(answer);
  hold(scan.kind == JsonKind::object, "an answer is JSON");
  hold(scan.members.id == raw_id && scan.members.method.empty(), "with the id as it was spelled");
  hold(member == "result" ? !scan.members.result.empty() : !scan.members.error.empty(), "and what it says");
}

// What Boost.JSON refuses besides half characters.
bool is_beyond_boost(std::string_view text) {
  json::error_code error;
  json::parse(text, error, {}, {.max_depth = 100'000});
  return error == json::error::exponent_overflow;
}

void check_surrogates(std::string_view text, const JsonScan& scan) {
  const std::string mended = replace_lone_surrogates(text);
  hold(mended.size() == text.size(), "a replacement is as long as what it replaces");
  hold(replace_lone_surrogates(mended) == mended, "what is mended stays");
  for (std::size_t i = 0; i < text.size(); ++i)
    hold(mended[i] == text[i] || text.substr(i - std::min<std::size_t>(i, 5), 6).contains("\\u"), "only escapes change");
  if (scan.kind == JsonKind::invalid) return;
  hold(scan_json(mended).kind == scan.kind, "JSON stays JSON");
  json::error_code error;
  json::parse(mended, error, {}, {.max_depth = 100'000});
  hold(!error || error == json::error::exponent_overflow, "no half character is left");
}

void check_client(std::string_view text, const JsonScan& scan) {
  const auto message = read_message(text);
  const AgentLine line = look_at_line(text);
  if (!message) return;
  hold(scan.kind == JsonKind::object, "a message is an object");
  using Kind = AgentMessage::Kind;
  const bool is_request = message->kind == Kind::request;
  const bool is_answer = message->kind == Kind::result || message->kind == Kind::error;
  hold((line.kind == EnvelopeKind::request) == is_request, "the proxy sees a request too");
  hold((line.kind == EnvelopeKind::response) == is_answer, "the proxy sees an answer too");
  hold(message->id == scan.members.id, "an id is kept as it was spelled");
  if (!is_request) return;
  hold_answer(result_text(message->id, message->params), scan.members.id, "result");
  hold_answer(error_text(message->id, -32601, message->method), scan.members.id, "error");
}

void check_demo(std::string_view text, const JsonScan& scan) {
  const auto message = mock::parse_message(text);
  if (!message) {
    const mock::Refusal& refusal = message.error();
    hold_answer(mock::error_line(refusal.id, refusal.error), refusal.id, "error");
    const bool is_own = refusal.id == scan.members.id || refusal.id == "null";
    return hold(is_own, "a refusal goes to who asked");
  }
  hold(scan.kind == JsonKind::object, "a message is an object");
  const AgentLine line = look_at_line(text);
  if (const auto* request = std::get_if<mock::Request>(&*message)) {
    hold(line.kind == EnvelopeKind::request && request->id == scan.members.id, "the proxy sees a request too");
    hold_answer(mock::result_line(request->id, request->params), request->id, "result");
  } else {
    hold(line.kind == (std::holds_alternative<mock::Response>(*message) ? EnvelopeKind::response : EnvelopeKind::other),
         "the proxy sees the same kind");
  }
}

void check_problem(std::string_view text) {
  const auto failure = failure_of_problem(text);
  if (!failure) return;
  json::error_code error;
  const json::value document = json::parse(text, error);
  hold(!error && document.is_object(), "a problem is an object");
  hold(document.at("type").get_string() == "urn:sandbox-agent:error:" + failure->code, "its code is the one it names");
}

void check(std::string_view text) {
  const JsonScan scan = scan_json(text);
  check_surrogates(text, scan);
  check_problem(text);
  if (scan.kind != JsonKind::invalid && is_beyond_boost(replace_lone_surrogates(text))) return;
  check_client(text, scan);
  check_demo(text, scan);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
