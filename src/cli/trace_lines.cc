#include "cli/trace_lines.h"

#include <fmt/format.h>

#include "base/json_members.h"
#include "cli/turn_view.h"
#include "client/message.h"

namespace sa {
namespace {

constexpr std::size_t preview_width = 100;

TraceGap gap_of(const std::string& data) {
  const auto value = read_json(data);
  const auto* object = value ? value->if_object() : nullptr;
  if (!object) return {};
  const auto number = [object](std::string_view name) {
    return static_cast<std::uint64_t>(integer_member(*object, name).value_or(0));
  };
  return {number("from"), number("to"), number("clientMessages")};
}

std::string kind_of(const std::string& data) {
  const auto message = read_message(data);
  if (!message) return "?";
  switch (message->kind) {
    case AgentMessage::Kind::result: return fmt::format("result of {}", message->id);
    case AgentMessage::Kind::error: return fmt::format("error of {}", message->id);
    case AgentMessage::Kind::request: return fmt::format("{} (request {})", message->method, message->id);
    case AgentMessage::Kind::notification: break;
  }
  const std::string_view update = string_member(object_member(message->params, "update"), "sessionUpdate");
  return update.empty() ? message->method : fmt::format("{} {}", message->method, update);
}

}  // namespace

std::string trace_line(const FeedItem& item) {
  std::string line;
  switch (item.kind) {
    case FeedItem::Kind::message: append_trace_line(line, TraceMessage{Speaker::agent, item.number, item.data}); break;
    case FeedItem::Kind::client: append_trace_line(line, TraceMessage{Speaker::client, {}, item.data}); break;
    case FeedItem::Kind::gap: append_trace_line(line, gap_of(item.data)); break;
    default: break;
  }
  return line;
}

std::string message_line(const FeedItem& item) {
  switch (item.kind) {
    case FeedItem::Kind::message:
      return fmt::format("{:>6} ← {}  {}", item.number, one_line(kind_of(item.data), preview_width),
                         one_line(item.data, preview_width));
    case FeedItem::Kind::client:
      return fmt::format("       → {}  {}", one_line(kind_of(item.data), preview_width), one_line(item.data, preview_width));
    case FeedItem::Kind::gap: return fmt::format("       ! lost: {}", one_line(item.data, preview_width));
    default: return "";
  }
}

}  // namespace sa
