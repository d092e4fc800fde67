#include "cli/trace_lines.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json_members.h"
#include "cli/plain_text.h"
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

struct MessageWords {
  std::string kind;
  std::string preview;
};

// What it is, and what of it a person wants to see.
MessageWords words_of(const std::string& data) {
  const auto message = read_message(data);
  if (!message) return {"?", data};
  switch (message->kind) {
    case AgentMessage::Kind::result:
      return {fmt::format("result of {}", message->id), boost::json::serialize(message->outcome)};
    case AgentMessage::Kind::error: return {fmt::format("error of {}", message->id), boost::json::serialize(message->outcome)};
    case AgentMessage::Kind::request:
      return {fmt::format("{} (request {})", message->method, message->id), boost::json::serialize(message->params)};
    case AgentMessage::Kind::notification: break;
  }
  const boost::json::object& update = object_member(message->params, "update");
  const std::string_view kind = string_member(update, "sessionUpdate");
  if (kind.empty()) return {message->method, boost::json::serialize(message->params)};
  const std::string_view text = string_member(object_member(update, "content"), "text");
  return {fmt::format("{} {}", message->method, kind), text.empty() ? boost::json::serialize(update) : std::string(text)};
}

}  // namespace

std::ifstream open_trace(const std::string& path) {
  std::error_code none;
  std::ifstream file;
  if (std::filesystem::is_regular_file(path, none)) file.open(path, std::ios::binary);
  if (!file.is_open()) file.setstate(std::ios::failbit);
  return file;
}

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
  if (item.kind == FeedItem::Kind::gap) return fmt::format("       ! lost: {}", one_line(item.data, preview_width));
  if (item.kind != FeedItem::Kind::message && item.kind != FeedItem::Kind::client) return "";
  const auto [kind, preview] = words_of(item.data);
  const std::string end = fmt::format("{}  {}", one_line(kind, preview_width), one_line(preview, preview_width));
  return item.kind == FeedItem::Kind::message ? fmt::format("{:>6} ← {}", item.number, end) : fmt::format("       → {}", end);
}

}  // namespace sa
