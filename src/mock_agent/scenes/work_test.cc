#include <doctest/doctest.h>

#include "mock_agent/scripted_client.h"

using namespace std::chrono_literals;

namespace sa::mock {

TEST_CASE("/plan moves three entries from pending over in progress to completed") {
  ScriptedClient client({.step_delay = 0ms});
  client.open_sessions();
  std::vector<std::string> moves;
  for (const json::object& update : client.play("/plan").updates("plan")) {
    std::string letters;
    for (const json::value& entry : update.at("entries").as_array()) letters += entry.at("status").as_string().front();
    moves.push_back(letters);
  }
  CHECK(moves == std::vector<std::string>{"ppp", "ipp", "cip", "cci", "ccc"});
}

TEST_CASE("/edit shows a diff of a file below the session's folder") {
  ScriptedClient client({.step_delay = 0ms});
  client.open_sessions(1, "/project");
  const Heard heard = client.play("/edit");
  const json::object call = heard.updates("tool_call").at(0);
  CHECK(call.at("kind") == "edit");
  CHECK(call.at("locations").at(0).at("path") == "/project/greeting.py");
  const json::value diff = heard.updates("tool_call_update").at(0).at("content").at(0);
  CHECK(diff.at("type") == "diff");
  CHECK(diff.at("path") == "/project/greeting.py");
  CHECK(diff.at("oldText") != diff.at("newText"));
  CHECK(heard.statuses() == std::vector<std::string>{"in_progress", "completed"});
}

TEST_CASE("/tool takes one call to completed and one to failed") {
  ScriptedClient client({.step_delay = 0ms});
  client.open_sessions();
  const Heard heard = client.play("/tool");
  CHECK(heard.updates("tool_call").at(0).at("status") == "pending");
  CHECK(heard.updates("tool_call").at(1).at("toolCallId") == "call-2");
  CHECK(heard.statuses() == std::vector<std::string>{"in_progress", "completed", "in_progress", "failed"});
  CHECK(heard.updates("tool_call_update").at(1).contains("rawOutput"));
  CHECK(heard.updates("tool_call_update").at(1).contains("content"));
}

TEST_CASE("in plan mode nothing is edited and nothing is run") {
  ScriptedClient client;
  client.initialize({{"fs", {{"readTextFile", true}, {"writeTextFile", true}}}, {"terminal", true}});
  client.open_sessions();
  client.call("session/set_mode", {{"sessionId", "demo-1"}, {"modeId", "plan"}});
  for (const char* scene : {"/edit", "/tool", "/permission", "/fs", "/terminal"}) {
    CAPTURE(scene);
    const Heard heard = client.play(scene);
    CHECK(heard.text().starts_with("In plan mode I "));
    CHECK(heard.updates("tool_call").empty());
  }
}

TEST_CASE("a tool call that is cancelled is reported as failed before the turn ends") {
  ScriptedClient client({.step_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/tool");
  client.next();
  client.cancel();
  const Heard heard = client.until_reply(1);
  CHECK(heard.statuses() == std::vector<std::string>{"failed"});
  CHECK(heard.stop_reason() == "cancelled");
}

TEST_CASE("every scene that pauses can be cancelled") {
  ScriptedClient client({.slow_delay = 1h, .step_delay = 1h});
  client.open_sessions();
  for (const char* scene : {"/plan", "/edit", "/tool", "/think", "/slow"}) {
    CAPTURE(scene);
    client.prompt(1, scene);
    client.cancel();
    CHECK(client.until_reply(1).stop_reason() == "cancelled");
  }
}

}  // namespace sa::mock
