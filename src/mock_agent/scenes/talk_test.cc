#include <doctest/doctest.h>

#include "mock_agent/scenes.h"
#include "mock_agent/scripted_client.h"

using namespace std::chrono_literals;

namespace sa::mock {
namespace {

const std::string scene_line =
    "I can show you: /plan /edit /permission /ask /slow /error /auth /crash /hang /flood /markdown /image /commands /think "
    "/tool /fs /terminal   (try: sandbox-agent run \"/edit\")";

std::string said(std::string_view text) {
  return "Hello. I am the demo agent. You said: \"" + std::string(text) + "\"\n" + scene_line;
}

std::vector<std::string> names(const json::object& commands_update) {
  std::vector<std::string> found;
  for (const json::value& command : commands_update.at("availableCommands").as_array()) {
    found.emplace_back(command.at("name").as_string());
  }
  return found;
}

}  // namespace

TEST_CASE("any other text is echoed in a few chunks together with the scenes that exist") {
  ScriptedClient client;
  client.open_sessions();
  for (const std::string_view text : {"What does this folder contain?", "", "/slowly", "say /slow", "é \"q\" \n 𝄞"}) {
    CAPTURE(text);
    const Heard heard = client.play(text);
    CHECK(heard.text() == said(text));
    CHECK(heard.chunks().size() == 3);
    CHECK(heard.stop_reason() == "end_turn");
  }
}

TEST_CASE("the echo acknowledges what came with the text") {
  ScriptedClient client;
  client.open_sessions();
  const json::array blocks = {json::object{{"type", "text"}, {"text", "look"}},
                              json::object{{"type", "image"}, {"data", "AA=="}, {"mimeType", "image/png"}}};
  const Heard heard = client.call("session/prompt", {{"sessionId", "demo-1"}, {"prompt", blocks}});
  CHECK(heard.text().contains("You said: \"look\" and sent 1 image.\n"));
}

TEST_CASE("/markdown streams a page line by line") {
  ScriptedClient client;
  client.open_sessions();
  const Heard heard = client.play("/markdown");
  for (const char* part : {"# Heading one\n", "\n|:------|:-----:|--------:|\n", "```python\n", "\n- [x] ", "](https://"}) {
    CAPTURE(part);
    CHECK(heard.text().contains(part));
  }
  CHECK(heard.chunks().size() > 30);
}

TEST_CASE("/image sends a PNG") {
  ScriptedClient client;
  client.open_sessions();
  const json::object content = client.play("/image").chunks().at(1).at("content").as_object();
  CHECK(content.at("type") == "image");
  CHECK(content.at("mimeType") == "image/png");
  CHECK(string_member(content, "data").starts_with("iVBORw0KGgo"));
}

TEST_CASE("/think shows as many thoughts as the level of thought says") {
  ScriptedClient client({.step_delay = 0ms});
  client.open_sessions();
  for (const auto& [level, count] : {std::pair{"brief", 1U}, {"long", 3U}, {"off", 0U}}) {
    CAPTURE(level);
    client.call("session/set_config_option", {{"sessionId", "demo-1"}, {"configId", "thought_level"}, {"value", level}});
    const Heard heard = client.play("/think");
    CHECK(heard.updates("agent_thought_chunk").size() == count);
    CHECK(heard.chunks().size() == 1);
  }
}

TEST_CASE("/commands adds a command to its session and takes it away again") {
  ScriptedClient client;
  client.open_sessions();
  CHECK(client.play("/bonus").text() == "First say /commands.");
  const auto added = names(client.play("/commands").updates("available_commands_update").at(0));
  CHECK(added.size() == scenes().size());
  CHECK(added.back() == "bonus");
  CHECK(client.play("/bonus").text() == "This is the command that /commands added.");
  const auto removed = names(client.play("/commands").updates("available_commands_update").at(0));
  CHECK(removed.size() == scenes().size() - 1);
}

}  // namespace sa::mock
