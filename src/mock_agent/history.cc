#include "mock_agent/history.h"

#include <algorithm>
#include <array>

namespace sa::mock {
namespace {

constexpr std::size_t joined_size = 4'096;   // of text, then a new entry begins
constexpr std::size_t entry_overhead = 256;  // what an entry costs beyond its text, roughly

constexpr std::array<std::string_view, 6> conversation = {"user_message_chunk", "agent_message_chunk", "agent_thought_chunk",
                                                          "tool_call",          "tool_call_update",    "plan"};

// The text of a chunk, null when the update is anything else.
const json::string* text_of(const json::object& update) {
  const json::value* content = update.if_contains("content");
  if (!content || !content->is_object()) return nullptr;
  const json::value* text = content->get_object().if_contains("text");
  return text ? text->if_string() : nullptr;
}

}  // namespace

void History::add(const json::object& update) {
  if (std::ranges::find(conversation, string_member(update, "sessionUpdate")) == conversation.end()) return;
  if (!join(update)) {
    const json::string* text = text_of(update);
    const std::size_t bytes = text ? text->size() : json::serialize(update).size();
    entries_.push_back({update, bytes + entry_overhead});
    bytes_ += bytes + entry_overhead;
    total_bytes_ += bytes;
  }
  while (bytes_ > max_bytes_) drop_oldest();
}

bool History::join(const json::object& update) {
  if (entries_.empty()) return false;
  Entry& last = entries_.back();
  const json::string* more = text_of(update);
  const json::string* text = text_of(last.update);
  if (!more || !text || text->size() + more->size() > joined_size) return false;
  const std::string_view speaker = string_member(update, "sessionUpdate");
  if (speaker == "user_message_chunk" || speaker != string_member(last.update, "sessionUpdate")) return false;
  last.update["content"].get_object()["text"].get_string().append(*more);
  last.bytes += more->size();
  bytes_ += more->size();
  total_bytes_ += more->size();
  return true;
}

// A report on a tool call means nothing without the call itself, so it goes with it.
void History::drop_oldest() {
  is_cut_ = true;
  do {
    bytes_ -= entries_.front().bytes;
    entries_.pop_front();
  } while (!entries_.empty() && string_member(entries_.front().update, "sessionUpdate") == "tool_call_update");
}

json::object History::cut_notice() {
  const std::string_view text = "[The beginning of this conversation is no longer kept.]\n\n";
  return {{"sessionUpdate", "agent_message_chunk"}, {"content", {{"type", "text"}, {"text", text}}}};
}

}  // namespace sa::mock
