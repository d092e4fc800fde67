#include <array>

#include "mock_agent/scenes/cast.h"
#include "mock_agent/tool_call.h"
#include "mock_agent/turn.h"

namespace sa::mock::scene {
namespace {

struct Step {
  std::string_view content;
  std::string_view priority;
};

constexpr std::array<Step, 3> steps = {
    {{"Read the question", "high"}, {"Think of an answer", "medium"}, {"Write the answer", "low"}}};

// All before step `current` is done; `current` itself is in progress, unless nothing has begun.
json::object plan_update(std::size_t current, bool has_begun) {
  json::array entries;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const char* status = i < current ? "completed" : i == current && has_begun ? "in_progress" : "pending";
    entries.push_back({{"content", steps.at(i).content}, {"priority", steps.at(i).priority}, {"status", status}});
  }
  return {{"sessionUpdate", "plan"}, {"entries", std::move(entries)}};
}

json::array at_path(std::string_view path) {
  json::array locations;
  locations.push_back({{"path", path}, {"line", 2}});
  return locations;
}

}  // namespace

Play plan(Turn& turn, Prompt) {
  turn.update(plan_update(0, false));
  for (std::size_t current = 0; current <= steps.size(); ++current) {
    co_await turn.step();
    turn.update(plan_update(current, true));
  }
  turn.say("The plan is done.");
  co_return StopReason::end_turn;
}

Play edit(Turn& turn, Prompt) {
  if (turn.is_mode("plan")) {
    turn.say("In plan mode I change nothing. I would have edited greeting.py.");
    co_return StopReason::end_turn;
  }
  const std::string path = turn.session().path("greeting.py");
  ToolCall call(
      turn, {{"title", "Edit greeting.py"}, {"kind", "edit"}, {"locations", at_path(path)}, {"rawInput", {{"path", path}}}});
  co_await turn.step();
  json::array diff;
  diff.push_back({{"type", "diff"},
                  {"path", path},
                  {"oldText", "def greet(name):\n    print(\"Hello \" + name)\n\n\ngreet(\"world\")\n"},
                  {"newText", "def greet(name: str) -> None:\n    print(f\"Hello, {name}!\")\n\n\ngreet(\"world\")\n"}});
  call.start({{"content", std::move(diff)}});
  co_await turn.step();
  call.complete();
  turn.say("I showed an edit of greeting.py. This is a demo: no file was touched.");
  co_return StopReason::end_turn;
}

Play tool(Turn& turn, Prompt) {
  if (turn.is_mode("plan")) {
    turn.say("In plan mode I run nothing. I would have run: a search and make test.");
    co_return StopReason::end_turn;
  }
  ToolCall search(turn, {{"title", "Search for \"hello\""}, {"kind", "search"}, {"rawInput", {{"pattern", "hello"}}}});
  co_await turn.step();
  search.start();
  co_await turn.step();
  search.complete(
      {{"content", tool_text("greeting.py:2: print(f\"hello, {name}!\")")}, {"rawOutput", {{"matches", 1}, {"files", 12}}}});

  ToolCall build(turn, {{"title", "make test"}, {"kind", "execute"}, {"rawInput", {{"command", "make test"}}}});
  co_await turn.step();
  build.start();
  co_await turn.step();
  build.fail({{"content", tool_text("make: *** No rule to make target 'test'.  Stop.")},
              {"rawOutput", {{"exitCode", 2}, {"stderr", "make: *** No rule to make target 'test'.  Stop.\n"}}}});
  turn.say("One tool call worked, one failed. Neither was real.");
  co_return StopReason::end_turn;
}

}  // namespace sa::mock::scene
