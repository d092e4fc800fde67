// The input is a trace, line by line. Held: a line that is read says what Boost.JSON finds in it, and written anew is read the
// same; findings are bounded, are about their line, are JSON, and hold nothing a terminal would obey.
// Inputs: at most 768 bytes.
#include <boost/json.hpp>
#include <string>

#include "base/json_scan.h"
#include "base/utf8.h"
#include "client/trace.h"
#include "client/trace_check.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

// With room behind it: Boost.JSON reads a fraction with less than 33 bytes to go another way, to another last digit.
std::optional<json::value> parsed(std::string_view text) {
  json::error_code error;
  json::value value = json::parse(std::string(text) + std::string(33, ' '), error, {}, {.max_depth = 100'000});
  return error ? std::nullopt : std::optional(std::move(value));
}

// As text: to Boost.JSON 0e999 is not a number, which equals nothing.
bool same(const json::value& a, const json::value& b) { return json::serialize(a) == json::serialize(b); }

std::uint64_t number(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member ? member->to_number<std::uint64_t>() : 0;
}

void check_members(std::string_view line, const TraceLine& read) {
  const auto value = parsed(line);
  if (!value || line.contains('\\')) return;  // an escaped name is none of ours
  const json::object& object = value->get_object();
  if (const auto* gap = std::get_if<TraceGap>(&read)) {
    const json::object& said = object.at("gap").get_object();
    hold(gap->from == number(said, "from") && gap->to == number(said, "to"), "a gap has its ends");
    hold(gap->client_messages == number(said, "clientMessages"), "a gap counts clients' messages");
    hold(gap->from <= gap->to, "a gap goes on");
  } else if (const auto* message = std::get_if<TraceMessage>(&read)) {
    const auto envelope = parsed(message->envelope);
    hold(envelope && same(*envelope, object.at("envelope")), "an envelope is the member's value");
    hold(object.at("direction").get_string() == word_of(message->direction), "a direction is one of two words");
    hold(message->seq.has_value() == object.contains("seq"), "a number is there or not");
    if (message->seq) hold(*message->seq == number(object, "seq"), "a number is what was written");
  }
}

void check_again(const TraceLine& read) {
  if (std::holds_alternative<TraceHead>(read)) return;
  std::string text;
  append_trace_line(text, read);
  hold(text.ends_with('\n') && text.find('\n') == text.size() - 1, "a line is one line");
  text.pop_back();
  const auto again = read_trace_line(text, 1);
  hold(again && again->index() == read.index(), "what is written is read");
  if (const auto* message = std::get_if<TraceMessage>(&read)) {
    const auto& other = std::get<TraceMessage>(*again);
    hold(other.envelope == message->envelope && other.seq == message->seq && other.direction == message->direction,
         "a message stays the same");
  } else if (const auto* gap = std::get_if<TraceGap>(&read)) {
    const auto& other = std::get<TraceGap>(*again);
    hold(other.from == gap->from && other.to == gap->to && other.client_messages == gap->client_messages,
         "a gap stays the same");
  }
}

void check_findings(const std::vector<Finding>& findings, std::size_t first, std::size_t last) {
  for (const Finding& finding : findings) {
    hold(finding.line >= first && finding.line <= last, "a finding is about its line");
    hold(scan_json(to_json(finding)).kind == JsonKind::object, "a finding is JSON");
    hold(is_printable_utf8(finding.sentence), "a sentence is for people");
    hold(is_printable_utf8(finding.path), "a place is for people");
  }
}

void check(std::string_view input) {
  TraceChecker checker;
  std::size_t number = 0, messages = 0;
  while (!input.empty()) {
    const std::string_view text = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(text.size() + 1, input.size()));
    const std::vector<char> exact(text.begin(), text.end());  // so that reading too far is noticed
    const std::string_view line(exact.data(), exact.size());
    const auto findings = checker.feed(line);
    ++number;
    hold(findings.size() <= 20, "findings are bounded");
    check_findings(findings, number, number);
    const auto read = read_trace_line(line, number);
    if (!read) {
      hold(is_printable_utf8(read.error()), "a refusal is for people");
      hold(is_blank(line) || !findings.empty(), "what cannot be read is found");
      continue;
    }
    if (std::holds_alternative<TraceMessage>(*read)) ++messages;
    check_members(line, *read);
    check_again(*read);
  }
  hold(checker.messages() == messages, "messages are counted");
  const auto open = checker.end();
  check_findings(open, 1, number);
  hold(std::ranges::is_sorted(open, {}, &Finding::line), "what is open is told in order");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
