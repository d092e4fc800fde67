// Held: the scanner takes exactly what Boost.JSON takes (lone surrogate escapes and huge exponents aside, which Boost refuses
// and agents send), finds the members that a walk over quotes and brackets finds, and a client's message passes unchanged but
// for its raw newlines.
#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <string>

#include "acp/envelope.h"
#include "base/id_key.h"
#include "base/json_scan.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

json::value boost_parse(std::string_view text, json::error_code& error) {
  json::parse_options options;
  options.max_depth = 100'000;
  return json::parse({text.data(), text.size()}, error, {}, options);
}

// The same text without what only Boost refuses: no escape is a surrogate, no exponent has more than five digits. Neither
// change makes a wrong text right or a right one wrong.
std::string tamed(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; (at = out.find("\\u", at)) != out.npos; at += 2)
    if (out[at + 2] == 'd' || out[at + 2] == 'D') out[at + 2] = 'e';
  for (std::size_t at = 0; (at = out.find_first_of("eE", at)) != out.npos;) {
    ++at;
    if (at < out.size() && (out[at] == '+' || out[at] == '-')) ++at;
    const std::size_t end = std::min(out.find_first_not_of("0123456789", at), out.size());
    if (end - at > 5) out.erase(at + 5, end - at - 5);
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(start, text.find_last_not_of(" \t\r\n") + 1 - start);
}

struct Member {
  std::string_view key, value;
};

// Of a valid object.
std::vector<Member> top_level_members(std::string_view text) {
  std::vector<Member> members;
  std::size_t depth = 0, start = 0, colon = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if ((c == '{' || c == '[') && depth++ == 0) start = i + 1;
    if (c == '}' || c == ']') --depth;
    if (c == ':' && depth == 1) colon = i;
    const bool member_ends = (c == ',' && depth == 1) || (c == '}' && depth == 0);
    if (!member_ends || colon < start) continue;
    members.push_back({trimmed(text.substr(start, colon - start)), trimmed(text.substr(colon + 1, i - colon - 1))});
    start = i + 1;
  }
  return members;
}

std::string_view last_named(const std::vector<Member>& members, std::string_view name) {
  std::string_view found;
  for (const Member& member : members) {
    json::error_code error;
    const json::value key = boost_parse(member.key, error);
    if (!error && std::string_view(key.get_string()) == name) found = member.value;
  }
  return found;
}

bool same_place(std::string_view a, std::string_view b) { return a.size() == b.size() && (a.empty() || a.data() == b.data()); }

JsonKind kind_of(const json::value& value) {
  switch (value.kind()) {
    case json::kind::object: return JsonKind::object;
    case json::kind::array: return JsonKind::array;
    case json::kind::string: return JsonKind::string;
    case json::kind::bool_: return JsonKind::boolean;
    case json::kind::null: return JsonKind::null;
    default: return JsonKind::number;
  }
}

bool is_newline(char c) { return c == '\n' || c == '\r'; }

EnvelopeKind expected_kind(const EnvelopeMembers& seen, bool is_line = false) {
  const bool answers = is_line || !seen.result.empty() || !seen.error.empty();
  if (seen.id.empty()) return EnvelopeKind::other;
  return !seen.method.empty() ? EnvelopeKind::request : answers ? EnvelopeKind::response : EnvelopeKind::other;
}

void check_message(std::string_view text, const JsonScan& scan) {
  const EnvelopeMembers& seen = scan.members;
  const bool is_message = !seen.method.empty() || !seen.result.empty() || !seen.error.empty();
  const auto envelope = parse_envelope(std::string(text));
  hold(envelope.has_value() == (scan.kind == JsonKind::object && is_message), "a message has method, result or error");
  if (!envelope) return;
  hold(envelope->kind == expected_kind(seen), "a message is what its keys say");
  hold(envelope->id == (seen.id.empty() ? "" : id_key(seen.id)), "a message has the identity of its id");
  hold(std::ranges::none_of(envelope->bytes, is_newline), "a message is one line");
  hold(std::ranges::equal(envelope->bytes, text, [](char to, char from) { return to == (is_newline(from) ? ' ' : from); }),
       "only raw newlines change");
}

void check_line(std::string_view text, const JsonScan& scan) {
  const AgentLine line = look_at_line(text);
  hold(line.is_json == (scan.kind != JsonKind::invalid), "a line is JSON when the scanner says so");
  hold(line.has_carriage_return == scan.has_newline, "a line's raw newlines are noticed");
  const EnvelopeKind kind = scan.kind == JsonKind::object ? expected_kind(scan.members, true) : EnvelopeKind::other;
  hold(line.kind == kind, "a line is what its keys say");
  hold(line.id == (kind == EnvelopeKind::other ? "" : id_key(scan.members.id)), "a line has the identity of its id");
}

void check(std::string_view text) {
  const JsonScan scan = scan_json(text);
  json::error_code error;
  const json::value value = boost_parse(tamed(text), error);
  const bool valid = scan.kind != JsonKind::invalid;
  hold(valid == !error, "valid is what Boost.JSON says is valid");
  hold(valid == (scan.error == nullptr) && scan.error_at <= text.size(), "a refusal has a reason and a place");
  check_message(text, scan);
  check_line(text, scan);
  if (!valid) return;
  hold(scan.kind == kind_of(value), "the kind is what Boost.JSON says");
  hold(scan.has_newline == std::ranges::any_of(text, is_newline), "raw newlines are noticed");
  const auto members = scan.kind == JsonKind::object ? top_level_members(text) : std::vector<Member>{};
  hold(same_place(scan.members.method, last_named(members, "method")), "method is the last one");
  hold(same_place(scan.members.id, last_named(members, "id")), "id is the last one");
  hold(same_place(scan.members.result, last_named(members, "result")), "result is the last one");
  hold(same_place(scan.members.error, last_named(members, "error")), "error is the last one");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
