#include "cli/turn_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.h"
#include "cli/plain_text.h"
#include "cli/tool_words.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t line_width = 100;
constexpr std::size_t thought_width = 90;
constexpr std::size_t error_width = 300;
constexpr std::size_t doing_width = 50;

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

// Of a call that is over its name is still of use, what it worked with is not.
void drop_contents(json::object& call) {
  for (const std::string_view name : {"content", "rawOutput"}) call.erase(name);
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

void TurnView::begin(Seen seen) {
  seen_at_ = Clock::now();
  has_shown_ = false;
  began_ = seen == Seen::whole ? std::optional(seen_at_) : std::nullopt;
  tools_.clear();
  unshown_.clear();
  last_tool_.clear();
  plan_line_.clear();
  context_.reset();
}

void TurnView::was_seen() {
  seen_at_ = Clock::now();
  has_shown_ = true;
}

void TurnView::say(std::string_view line) {
  console_.status(line);
  was_seen();
}

void TurnView::tell(const TurnEvent& event) {
  if (console_.json()) console_.document(to_json(event));
}

void TurnView::note(std::string_view sentence) {
  settle();
  tell({.type = TurnEventType::note, .text = std::string(sentence)});
  say(fmt::format("▸ {}", sentence));
}

// Who reads the answer alone must know, too.
void TurnView::lost(std::string_view sentence) {
  settle();
  tell({.type = TurnEventType::gap, .text = std::string(sentence)});
  console_.warn(sentence);
  was_seen();
}

void TurnView::show(const json::object& update) {
  const std::string_view kind = string_member(update, "sessionUpdate");
  if (kind == "agent_thought_chunk") return show_thought(object_member(update, "content"));
  if (kind == "agent_message_chunk") return show_text(object_member(update, "content"));
  if (kind == "tool_call" || kind == "tool_call_update") return show_tool(update);
  if (kind == "plan") return show_plan(update);
  if (kind == "usage_update") context_ = integer_member(update, "used");
  console_.detail(fmt::format("· {}", one_line(kind, line_width)));
}

void TurnView::show_text(const json::object& content) {
  if (string_member(content, "type") != "text") {
    settle();
    const std::string words = content_words(content);
    tell({.type = TurnEventType::note, .text = words});
    return say(console_.paint(Ink::dim, words));
  }
  const std::string text = text_of(string_member(content, "text"));
  if (text.empty()) return;
  settle();
  was_seen();
  if (console_.json()) return tell({.type = TurnEventType::text, .text = text});
  console_.print(console_.result_is_terminal() ? harmless(text) : text);
}

void TurnView::show_thought(const json::object& content) {
  settle_tools();
  const std::string text = text_of(string_member(content, "text"));
  if (console_.json()) return tell({.type = TurnEventType::thought, .text = text});
  thought_ += text;
}

void TurnView::end_thought() {
  if (thought_.empty()) return;
  const std::string words = console_.verbose() ? harmless(thought_) : one_line(thought_, thought_width);
  say(console_.paint(Ink::dim, "· " + words));
  thought_.clear();
}

void TurnView::settle() {
  end_thought();
  settle_tools();
}

void TurnView::settle_tools() {
  for (const std::string& id : std::exchange(unshown_, {}))
    if (tools_[id].shown_line.empty()) show_tool_line(tools_[id]);
}

std::string TurnView::doing() const {
  if (!thought_.empty()) return "thinking";
  const auto tool = tools_.find(last_tool_);
  return tool == tools_.end() || tool->second.ended ? "" : one_line(tool_line(tool->second.call), doing_width);
}

bool TurnView::has_more() const {
  return !thought_.empty() ||
         std::ranges::any_of(unshown_, [this](const std::string& id) { return tools_.at(id).shown_line.empty(); });
}

TurnView::Tool& TurnView::learn(const json::object& call) {
  last_tool_ = text_of(string_member(call, "toolCallId"));
  const auto [entry, is_new] = tools_.try_emplace(last_tool_);
  Tool& tool = entry->second;
  add_said(tool.call, call);
  if (is_new) tool.first_line = tool_line(tool.call);
  if (is_new) unshown_.push_back(last_tool_);
  return tool;
}

json::object TurnView::asked_about(const json::object& call) {
  end_thought();
  if (string_member(call, "toolCallId").empty()) return call;
  Tool& tool = learn(call);
  show_tool_line(tool);
  return tool.call;
}

void TurnView::show_tool_line(Tool& tool) {
  const std::string line = tool_line(tool.call);
  if (line != tool.shown_line) say(fmt::format("{} {}", console_.paint(Ink::dim, "●"), line));
  tool.shown_line = line;
}

// Of one that was shown under another name: at once if that was its first, else at its end.
void TurnView::show_progress(Tool& tool, std::string_view status) {
  tool.ended = status == "completed" || status == "failed";
  const std::string line = tool_line(tool.call);
  if (status == "failed") {
    say(fmt::format("{} failed: {}", console_.paint(Ink::red, "✗"), line));
    tool.shown_line = line;
    return;
  }
  const bool is_told = status == "in_progress" || tells_input(tool.call) || line != tool.first_line;
  const bool is_due = tool.shown_line.empty() ? is_told : tool.shown_line == tool.first_line;
  if (tool.ended || is_due) show_tool_line(tool);
}

void TurnView::show_tool(const json::object& call) {
  end_thought();
  const std::string status = text_of(string_member(call, "status"));
  Tool& tool = learn(call);
  if (console_.json()) {
    TurnEvent event{.type = TurnEventType::tool, .tool_call_id = last_tool_, .title = tool_title(tool.call)};
    if (!status.empty()) event.status = status;
    if (const auto kind = string_member(call, "kind"); !kind.empty()) event.kind = text_of(kind);
    tell(event);
  }
  if (!tool.ended) show_progress(tool, status);
  if (tool.ended) drop_contents(tool.call);
}

void TurnView::show_plan(const json::object& plan) {
  settle();
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
  if (line != plan_line_) say(fmt::format("{} {}", console_.paint(Ink::dim, "▸"), line));
  plan_line_ = line;
}

void TurnView::end(const json::object& turn_result) {
  settle();
  const std::string stop_reason = text_of(string_member(turn_result, "stopReason"));
  const auto tokens = tokens_in(turn_result);
  std::optional<Millis> took;
  if (began_) took = std::chrono::duration_cast<Millis>(Clock::now() - *began_);
  TurnEvent event{.type = TurnEventType::end,
                  .stop_reason = stop_reason,
                  .tools = static_cast<std::int64_t>(tools_.size()),
                  .tokens = tokens,
                  .context_tokens = context_};
  if (took) event.duration_ms = took->count();
  tell(event);
  const bool good = stop_reason == "end_turn";
  std::string line =
      fmt::format("{} {}", good ? console_.paint(Ink::green, "✓") : console_.paint(Ink::yellow, "!"), end_words(stop_reason));
  if (!tools_.empty()) line += fmt::format(" · {} {}", tools_.size(), tools_.size() == 1 ? "tool" : "tools");
  if (tokens) line += fmt::format(" · {} tokens", count_text(*tokens));
  if (!tokens && context_) line += fmt::format(" · context {} tokens", count_text(*context_));
  if (took) line += fmt::format(" · {}", duration_text(*took));
  say(line);
  began_.reset();
}

void TurnView::fail(const Failure& failure) {
  settle();
  const std::string words = failure.why.empty() ? failure.what : fmt::format("{} ({})", failure.what, failure.why);
  tell({.type = TurnEventType::error, .text = words});
  say(fmt::format("{} the turn failed: {}", console_.paint(Ink::red, "✗"), one_line(words, error_width)));
  began_.reset();
}

}  // namespace sa
