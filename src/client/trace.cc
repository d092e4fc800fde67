#include "client/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json_scan.h"

namespace sa {
namespace {

using std::string_view;

constexpr string_view blanks = " \t\r\n";

// Behind a string that begins at `at`.
std::size_t end_of_string(string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return at + 1;
}

// Behind a value that begins at `at`, up to the comma or brace that follows it.
std::size_t end_of_value(string_view json, std::size_t at) {
  for (std::size_t depth = 0;;) {
    const char c = json[at];
    if (c == '"') {
      at = end_of_string(json, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}')) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
}

string_view trimmed(string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == string_view::npos ? string_view() : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

// The bytes of a member's value in an object that scan_json accepts, the last one of that name; empty when there is none.
string_view member(string_view object, string_view name) {
  string_view found;
  for (std::size_t at = object.find('{') + 1;;) {
    at = object.find_first_of("\"}", at);
    if (object[at] == '}') return found;
    const std::size_t key = at + 1;
    at = end_of_string(object, at);
    const bool wanted = object.substr(key, at - 1 - key) == name;
    const std::size_t value = object.find(':', at) + 1;
    at = end_of_value(object, value);
    if (wanted) found = trimmed(object.substr(value, at - value));
  }
}

std::optional<std::uint64_t> number(string_view token) {
  std::uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || wrong != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return value;
}

std::expected<TraceLine, std::string> read_gap(string_view gap, std::size_t line) {
  if (!gap.starts_with('{')) return std::unexpected(fmt::format("Line {}: 'gap' must be an object.", line));
  TraceGap read;
  const auto take = [&](string_view name, std::uint64_t& place) {
    const string_view token = member(gap, name);
    const auto value = number(token);
    if (value) place = *value;
    return token.empty() || value;
  };
  if (!take("from", read.from) || !take("to", read.to) || !take("clientMessages", read.client_messages))
    return std::unexpected(fmt::format("Line {}: 'from', 'to' and 'clientMessages' of a gap must be whole numbers.", line));
  if ((read.from == 0) != (read.to == 0) || read.to < read.from)
    return std::unexpected(fmt::format("Line {}: a gap must go from an event to the same or a later one.", line));
  return read;
}

}  // namespace

void append_trace_line(std::string& out, const TraceLine& line) {
  if (const auto* gap = std::get_if<TraceGap>(&line)) {
    const std::size_t begin = out.size();
    out += "{\"gap\":{";
    if (gap->from != 0) out += fmt::format("\"from\":{},\"to\":{}", gap->from, gap->to);
    if (gap->client_messages != 0)
      out += fmt::format("{}\"clientMessages\":{}", out.ends_with('{') ? "" : ",", gap->client_messages);
    if (out.substr(begin) == "{\"gap\":{") out += "\"reason\":\"unknown_position\"";
    out += "}}\n";
    return;
  }
  const TraceMessage& message = std::get<TraceMessage>(line);
  out += '{';
  if (message.seq) out += fmt::format("\"seq\":{},", *message.seq);
  out += fmt::format("\"direction\":\"{}\",\"envelope\":", word_of(message.direction));
  const std::size_t begin = out.size();
  out += message.envelope;
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), '\n', ' ');
  out += "}\n";
}

std::expected<TraceLine, std::string> read_trace_line(string_view line, std::size_t line_number) {
  const JsonScan scan = scan_json(line);
  if (scan.kind == JsonKind::invalid)
    return std::unexpected(fmt::format("Line {} is not JSON: {} at byte {}.", line_number, scan.error, scan.error_at + 1));
  if (scan.kind != JsonKind::object) return std::unexpected(fmt::format("Line {} must be an object.", line_number));
  if (const string_view gap = member(line, "gap"); !gap.empty()) return read_gap(gap, line_number);
  if (!member(line, "sandboxAgentTrace").empty()) return TraceHead{.filtered = member(line, "filtered") == "true"};

  TraceMessage message{.envelope = member(line, "envelope")};
  if (message.envelope.empty())
    return std::unexpected(fmt::format("Line {} has neither an 'envelope' nor a 'gap'.", line_number));
  const string_view direction = member(line, "direction");
  if (direction != "\"agent\"" && direction != "\"client\"")
    return std::unexpected(fmt::format("Line {}: 'direction' must be 'agent' or 'client'.", line_number));
  message.direction = direction == "\"agent\"" ? Speaker::agent : Speaker::client;
  const string_view seq = member(line, "seq");
  message.seq = number(seq);
  if (!seq.empty() && !message.seq) return std::unexpected(fmt::format("Line {}: 'seq' must be a whole number.", line_number));
  return message;
}

}  // namespace sa
