#include "cli/turn_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.h"
#include "cli/plain_text.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t line_width = 100;
constexpr std::size_t thought_width = 90;

std::string text_of(std::string_view member) { return std::string(member); }

std::optional<std::int64_t> tokens_in(const json::object& turn_result) {
  const json::object& usage = object_member(turn_result, "usage");
  return integer_member(usage, "totalTokens");
}

std::string end_words(std::string_view stop_reason) {
  if (stop_reason == "end_turn") return "end of turn";
  if (stop_reason == "max_tokens") return "stopped: the model's token limit is reached (max_tokens)";
  if (stop_reason == "max_turn_requests") return "stopped: the turn's limit of requests is reached (max_turn_requests)";
  if (stop_reason == "refusal") return "the agent refused to go on (refusal)";
  if (stop_reason == "cancelled") return "cancelled";
  return fmt::format("ended: {}", one_line(stop_reason, line_width));
}

// What there is to see of content that is no text.
std::string content_words(const json::object& content) {
  const std::string_view type = string_member(content, "type");
  if (type == "resource_link") return fmt::format("[{}]", one_line(string_member(content, "uri"), line_width));
  const std::string_view mime = string_member(content, "mimeType");
  return fmt::format("[{}{}{}]", one_line(type, line_width), mime.empty() ? "" : " ", one_line(mime, line_width));
}

}  // namespace

std::string count_text(std::int64_t count) {
  if (count < 1'000) return std::to_string(count);
  return fmt::format("{:.1f} k", static_cast<double>(count) / 1e3);
}

std::string duration_text(Millis duration) {
  const auto seconds = duration.count() / 1'000;
  if (seconds < 60) return fmt::format("{:.1f} s", static_cast<double>(duration.count()) / 1e3);
  return fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

void TurnView::begin() {
  began_ = Clock::now();
  titles_.clear();
  states_.clear();
  plan_line_.clear();
  tokens_.reset();
}

void TurnView::tell(const TurnEvent& event) {
  if (console_.json()) console_.document(to_json(event));
}

void TurnView::note(std::string_view sentence) {
  end_thought();
  tell({.type = TurnEventType::note, .text = std::string(sentence)});
  console_.status(fmt::format("▸ {}", sentence));
}

void TurnView::show(const json::object& update) {
  const std::string_view kind = string_member(update, "sessionUpdate");
  if (kind == "agent_thought_chunk") return show_thought(object_member(update, "content"));
  end_thought();
  if (kind == "agent_message_chunk") return show_text(object_member(update, "content"));
  if (kind == "tool_call" || kind == "tool_call_update") return show_tool(update);
  if (kind == "plan") return show_plan(update);
  if (kind == "usage_update") tokens_ = integer_member(update, "used");
  console_.detail(fmt::format("· {}", one_line(kind, line_width)));
}

void TurnView::show_text(const json::object& content) {
  if (string_member(content, "type") != "text") {
    const std::string words = content_words(content);
    tell({.type = TurnEventType::note, .text = words});
    return console_.status(console_.paint(Ink::dim, words));
  }
  const std::string text = text_of(string_member(content, "text"));
  if (console_.json()) return tell({.type = TurnEventType::text, .text = text});
  console_.print(console_.result_is_terminal() ? harmless(text) : text);
}

void TurnView::show_thought(const json::object& content) {
  const std::string text = text_of(string_member(content, "text"));
  if (console_.json()) return tell({.type = TurnEventType::thought, .text = text});
  thought_ += text;
}

void TurnView::end_thought() {
  if (thought_.empty()) return;
  const std::string words = console_.verbose() ? harmless(thought_) : one_line(thought_, thought_width);
  console_.status(console_.paint(Ink::dim, "· " + words));
  thought_.clear();
}

std::string TurnView::tool_title(const json::object& tool_call) {
  const std::string title = one_line(string_member(tool_call, "title"), line_width);
  return title.empty() ? one_line(string_member(tool_call, "toolCallId"), line_width) : title;
}

void TurnView::show_tool(const json::object& call) {
  const std::string id = text_of(string_member(call, "toolCallId"));
  const std::string status = text_of(string_member(call, "status"));
  if (call.contains("title") || !titles_.contains(id)) titles_[id] = tool_title(call);
  const std::string& title = titles_[id];
  const auto [shown, is_new] = states_.try_emplace(id, "");
  if (console_.json()) {
    TurnEvent event{.type = TurnEventType::tool, .tool_call_id = id, .title = title};
    if (!status.empty()) event.status = status;
    if (const auto kind = string_member(call, "kind"); !kind.empty()) event.kind = text_of(kind);
    tell(event);
  }
  if (is_new) console_.status(fmt::format("{} {}", console_.paint(Ink::dim, "●"), title));
  if (status == "failed" && shown->second != status)
    console_.status(fmt::format("{} failed: {}", console_.paint(Ink::red, "✗"), title));
  shown->second = status;
}

void TurnView::show_plan(const json::object& plan) {
  TurnEvent event{.type = TurnEventType::plan, .steps = std::vector<PlanStep>()};
  std::size_t done = 0;
  std::string current;
  for (const json::value& entry : array_member(plan, "entries")) {
    if (!entry.is_object()) continue;
    const PlanStep step{text_of(string_member(entry.get_object(), "content")),
                        text_of(string_member(entry.get_object(), "status"))};
    if (step.status == "completed") ++done;
    if (step.status == "in_progress") current = step.content;
    event.steps->push_back(step);
  }
  tell(event);
  const std::string line =
      fmt::format("plan {}/{}{}{}", done, event.steps->size(), current.empty() ? "" : "  ", one_line(current, line_width));
  if (line != plan_line_) console_.status(fmt::format("{} {}", console_.paint(Ink::dim, "▸"), line));
  plan_line_ = line;
}

void TurnView::end(const json::object& turn_result) {
  end_thought();
  const std::string stop_reason = text_of(string_member(turn_result, "stopReason"));
  const Millis took = std::chrono::duration_cast<Millis>(Clock::now() - began_);
  const auto said = tokens_in(turn_result);
  const auto tokens = said ? said : tokens_;
  tell({.type = TurnEventType::end,
        .stop_reason = stop_reason,
        .duration_ms = took.count(),
        .tools = static_cast<std::int64_t>(states_.size()),
        .tokens = tokens});
  const bool good = stop_reason == "end_turn";
  std::string line =
      fmt::format("{} {}", good ? console_.paint(Ink::green, "✓") : console_.paint(Ink::yellow, "!"), end_words(stop_reason));
  if (!states_.empty()) line += fmt::format(" · {} {}", states_.size(), states_.size() == 1 ? "tool" : "tools");
  if (tokens) line += fmt::format(" · {} tokens", count_text(*tokens));
  console_.status(fmt::format("{} · {}", line, duration_text(took)));
}

}  // namespace sa
