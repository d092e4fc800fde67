#include "sse_parser.h"

#include <boost/json.hpp>
#include <charconv>
#include <cstring>

namespace rig {
namespace {

struct Opening {
  std::string_view text;
  SseEvent::Kind kind;
};
constexpr Opening openings[] = {
    {"event: message\nid: ", SseEvent::Kind::message},
    {"event: gap\ndata: ", SseEvent::Kind::gap},
    {"event: client\ndata: ", SseEvent::Kind::client},
    {": heartbeat\n\n", SseEvent::Kind::heartbeat},
};

}  // namespace

void SseParser::note_fault(std::string_view text, const char* why) {
  fault_ = std::string(why) + " at '" + std::string(text.substr(0, 80)) + "'";
}

std::size_t SseParser::next_event(std::string_view text, SseEvent& event) {
  if (text.empty()) return 0;
  const Opening* opening = nullptr;
  for (const auto& candidate : openings) {
    if (text.starts_with(candidate.text)) opening = &candidate;
    if (text.size() < candidate.text.size() && candidate.text.starts_with(text)) return 0;
  }
  if (opening == nullptr) {
    note_fault(text, "unknown opening");
    return 0;
  }
  event.kind = opening->kind;
  event.id = 0;
  event.data = {};
  const char* const start = text.data();
  const char* const end = start + text.size();
  const char* at = start + opening->text.size();
  if (event.kind == SseEvent::Kind::heartbeat) return opening->text.size();
  if (event.kind == SseEvent::Kind::message) {
    static constexpr std::string_view before_data = "\ndata: ";
    const auto [after, error] = std::from_chars(at, end, event.id);
    if (static_cast<std::size_t>(end - after) < before_data.size()) return 0;
    if (error != std::errc() || *at == '0' || std::memcmp(after, before_data.data(), before_data.size()) != 0) {
      note_fault(text, "not an id line");
      return 0;
    }
    at = after + before_data.size();
  }
  const char* const search = at + searched_;
  const auto* line_end = static_cast<const char*>(std::memchr(search, '\n', static_cast<std::size_t>(end - search)));
  if (line_end == nullptr) {
    searched_ = static_cast<std::size_t>(end - at);
    return 0;
  }
  if (line_end + 1 == end) {
    searched_ = static_cast<std::size_t>(line_end - at);
    return 0;
  }
  if (line_end[1] != '\n') {
    note_fault(std::string_view(line_end, static_cast<std::size_t>(end - line_end)), "more than one data line");
    return 0;
  }
  event.data = std::string_view(at, static_cast<std::size_t>(line_end - at));
  return static_cast<std::size_t>(line_end + 2 - start);
}

Gap parse_gap(std::string_view data) {
  const auto object = boost::json::parse({data.data(), data.size()}).as_object();
  Gap gap;
  gap.has_bounds = object.contains("from") && object.contains("to");
  if (gap.has_bounds) {
    gap.from = object.at("from").to_number<std::uint64_t>();
    gap.to = object.at("to").to_number<std::uint64_t>();
  }
  if (const auto* reason = object.if_contains("reason")) gap.reason = reason->as_string().c_str();
  if (const auto* lost = object.if_contains("clientMessages")) {
    gap.client_messages = lost->is_number() ? lost->to_number<std::uint64_t>() : 0;
  }
  return gap;
}

}  // namespace rig
