#include "mock_agent/scenes.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string>

#include "mock_agent/turn.h"

namespace sa::mock {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

// The number after the scene's name: `fallback` when there is none, never above `highest`.
unsigned number_after_name(std::string_view text, unsigned fallback, unsigned highest) {
  take_word(text);
  const std::string_view word = take_word(text);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) return fallback;
  return error == std::errc::result_out_of_range ? highest : std::min(number, highest);
}

std::string scene_list() {
  std::string line = "I can show you:";
  for (const Scene& scene : scenes()) line.append(" ").append(scene.name);
  return line + "   (try: sandbox-agent run \"/permission\")";
}

Play echo(Turn& turn, std::string text) {
  turn.say("Hello. I am the demo agent. ");
  turn.say("You said: \"" + text + "\"\n");
  turn.say(scene_list());
  co_return StopReason::end_turn;
}

Play slow(Turn& turn, std::string text) {
  const unsigned count = number_after_name(text, 20, 10'000);
  for (unsigned i = 1; i <= count; ++i) {
    if (i > 1) co_await turn.pause(turn.options().slow_delay);
    turn.say("step " + std::to_string(i) + " of " + std::to_string(count) + "\n");
  }
  co_return StopReason::end_turn;
}

struct PermissionOption {
  std::string_view id;
  std::string_view kind;
  std::string_view name;
  bool allows;
};

constexpr PermissionOption permission_options[] = {
    {"allow-once", "allow_once", "Allow once", true},
    {"allow-always", "allow_always", "Always allow", true},
    {"reject-once", "reject_once", "Reject", false},
};

json::object permission_request(const Session& session, json::object tool_call) {
  json::array options;
  for (const auto& [id, kind, name, allows] : permission_options) {
    options.push_back({{"optionId", id}, {"name", name}, {"kind", kind}});
  }
  return {{"sessionId", session.id}, {"toolCall", std::move(tool_call)}, {"options", std::move(options)}};
}

Play permission(Turn& turn, std::string) {
  const std::string call = turn.new_tool_call_id();
  json::object tool_call = {{"toolCallId", call},
                            {"title", "make clean"},
                            {"kind", "execute"},
                            {"status", "pending"},
                            {"rawInput", {{"command", "make clean"}}}};
  json::object announcement = {{"sessionUpdate", "tool_call"}};
  announcement.insert(tool_call.begin(), tool_call.end());
  turn.update(std::move(announcement));

  json::object question = permission_request(turn.session(), std::move(tool_call));
  const Response answer = co_await turn.ask("session/request_permission", std::move(question));
  const json::object outcome = object_member(answer.result, "outcome");
  if (string_member(outcome, "outcome") == "cancelled") co_return StopReason::cancelled;

  const auto chosen = std::ranges::find(permission_options, string_member(outcome, "optionId"), &PermissionOption::id);
  const bool known = chosen != std::end(permission_options);
  const bool allowed = known && chosen->allows;
  turn.update({{"sessionUpdate", "tool_call_update"}, {"toolCallId", call}, {"status", allowed ? "completed" : "failed"}});
  turn.say(known ? "You chose: " + std::string(chosen->name) + "." : "No option was chosen, which counts as: Reject.");
  turn.say(allowed ? " A real agent would have run the command now." : " The command was not run.");
  co_return StopReason::end_turn;
}

Play flood(Turn& turn, std::string text) {
  const unsigned count = number_after_name(text, 1'000, 1'000'000);
  for (unsigned i = 1; i <= count; ++i) {
    turn.say("token " + std::to_string(i) + " ");
    co_await turn.room();
  }
  co_return StopReason::end_turn;
}

Play hang(Turn& turn, std::string) {
  turn.say("I will never answer this, and I ignore cancel.");
  co_await turn.forever();
  co_return StopReason::end_turn;
}

Play crash(Turn& turn, std::string text) {
  const unsigned code = number_after_name(text, 7, 255);
  turn.say("I am about to crash.");
  const std::string last_words = "demo agent: crashing with exit code " + std::to_string(code) + ", as asked\n";
  [[maybe_unused]] const ssize_t count = ::write(turn.options().error_fd, last_words.data(), last_words.size());
  co_await turn.exit_process(static_cast<int>(code));
  co_return StopReason::end_turn;
}

constexpr Scene scene_table[] = {
    {"/slow", slow},                    // [n]: n chunks, a pause between two of them
    {"/permission", permission},        // asks before it runs a tool
    {"/flood", flood},                  // [n]: n chunks as fast as they are read
    {"/hang", hang, OnCancel::ignore},  // never answers
    {"/crash", crash},                  // [code]: the process exits in the middle of the turn
};

constexpr Scene echo_scene{"", echo};

}  // namespace

std::span<const Scene> scenes() { return scene_table; }

const Scene& scene_for(std::string_view text) {
  const auto scene = std::ranges::find(scene_table, take_word(text), &Scene::name);
  return scene == std::end(scene_table) ? echo_scene : *scene;
}

}  // namespace sa::mock
