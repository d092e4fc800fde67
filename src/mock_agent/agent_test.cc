#include "mock_agent/agent.h"

#include <doctest/doctest.h>

#include "base/version.h"
#include "mock_agent/scripted_client.h"

using namespace std::chrono_literals;

namespace sa::mock {
namespace {

const json::object at_root = {{"cwd", "/"}, {"mcpServers", json::array()}};

json::object in_session(std::string_view id) { return {{"sessionId", id}, {"cwd", "/"}, {"mcpServers", json::array()}}; }

std::vector<std::string> kinds(const Heard& heard) {
  std::vector<std::string> found;
  found.reserve(heard.messages.size());
  for (const json::object& message : heard.messages) {
    found.emplace_back(string_member(object_member(object_member(message, "params"), "update"), "sessionUpdate"));
  }
  return found;
}

}  // namespace

TEST_CASE("initialize names the demo agent and claims what it can do") {
  ScriptedClient client;
  const json::object result = client.call("initialize", {{"protocolVersion", 1}}).result();
  CHECK(result.at("protocolVersion") == 1);
  CHECK(result.at("agentInfo") == json::value{{"name", "mock"}, {"title", "Demo agent"}, {"version", version}});
  const json::object can = result.at("agentCapabilities").as_object();
  CHECK(can.at("loadSession") == true);
  CHECK(can.at("mcpCapabilities") == json::value{{"http", false}, {"sse", false}});
  for (const char* name : {"list", "resume", "fork", "close", "delete"}) {
    CAPTURE(name);
    CHECK(can.at("sessionCapabilities").as_object().contains(name));
  }
}

TEST_CASE("initialize offers version 1 to a client that asks for a newer one") {
  ScriptedClient client;
  CHECK(client.call("initialize", {{"protocolVersion", 2}}).result().at("protocolVersion") == 1);
}

TEST_CASE("authenticate takes the method initialize named and no other") {
  ScriptedClient client;
  const json::object offered = client.call("initialize", {{"protocolVersion", 1}}).result();
  const json::value id = offered.at("authMethods").at(0).at("id");
  CHECK(client.call("authenticate", {{"methodId", id}}).reply.at("result") == json::object());
  CHECK(client.call("authenticate", {{"methodId", "any"}}).error_code() == -32602);
}

TEST_CASE("sessions are numbered in the order they are opened, and their commands follow the reply") {
  ScriptedClient client;
  for (const char* id : {"demo-1", "demo-2"}) {
    CAPTURE(id);
    const json::object result = client.call("session/new", at_root).result();
    CHECK(result.at("sessionId") == id);
    CHECK(result.at("modes").at("currentModeId") == "ask");
    CHECK(result.at("configOptions").as_array().size() == 3);
    const json::object params = object_member(client.next(), "params");
    CHECK(params.at("sessionId") == id);
    CHECK(params.at("update").at("sessionUpdate") == "available_commands_update");
    CHECK(params.at("update").at("availableCommands").at(0).at("name") == "plan");
  }
}

TEST_CASE("a folder that is no absolute path, or too long for one, is refused") {
  ScriptedClient client;
  CHECK(client.call("session/new").error_code() == -32602);
  CHECK(client.call("session/new", {{"cwd", "src"}}).error_text().contains("absolute"));
  CHECK(client.call("session/new", {{"cwd", "/" + std::string(4'096, 'x')}}).error_text().contains("longer"));
}

TEST_CASE("what needs a session says so when there is none of that name") {
  ScriptedClient client;
  client.open_sessions();
  for (const char* method : {"session/prompt", "session/load", "session/resume", "session/fork", "session/close",
                             "session/set_mode", "session/set_config_option"}) {
    for (const char* id : {"demo-9", "demo-01", "demo-", "1", ""}) {
      CAPTURE(method);
      CAPTURE(id);
      const Heard heard = client.call(method, in_session(id));
      CHECK(heard.error_code() == -32002);
      CHECK(heard.error_text().contains("session/new"));
    }
  }
}

TEST_CASE("a prompt without blocks, or with blocks that are none, is refused with invalid params") {
  ScriptedClient client;
  client.open_sessions();
  const json::object no_text = {{"type", "text"}};
  const json::object unheard = {{"type", "hologram"}};
  const json::object image = {{"type", "image"}, {"data", "AA=="}};
  for (const json::value& prompt : {json::value("hello"), json::value(nullptr), json::value{17}, json::value{no_text},
                                    json::value{unheard}, json::value{image}}) {
    CAPTURE(json::serialize(prompt));
    CHECK(client.call("session/prompt", {{"sessionId", "demo-1"}, {"prompt", prompt}}).error_code() == -32602);
  }
  CHECK(client.call("session/prompt", {{"sessionId", "demo-1"}}).error_code() == -32602);
}

TEST_CASE("a second prompt during a turn is refused and leaves the turn alone") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/slow");
  const Heard refused = client.play("hello");
  CHECK(refused.error_code() == -32600);
  CHECK(refused.error_text().contains("busy"));
  client.cancel();
  CHECK(client.until_reply(1).stop_reason() == "cancelled");
  CHECK(client.play("hello").stop_reason() == "end_turn");
}

TEST_CASE("a turn ends with the title once and the usage always, whatever its end") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/slow");
  client.next();
  client.cancel();
  const Heard first = client.until_reply(1);
  CHECK(kinds(first) == std::vector<std::string>{"session_info_update", "usage_update"});
  CHECK(first.updates("session_info_update").at(0).at("title") == "/slow");
  CHECK(kinds(client.play("/error")) == std::vector<std::string>{"agent_message_chunk", "usage_update"});
}

TEST_CASE("the model decides the size of the context window, which is never overrun") {
  ScriptedClient client;
  client.open_sessions();
  const auto usage = [&](std::string_view text) { return client.play(text).updates("usage_update").at(0); };
  CHECK(usage("hello").at("size") == 32'000);
  CHECK(usage("/flood 20000").at("used") == 32'000);
  client.call("session/set_config_option", {{"sessionId", "demo-1"}, {"configId", "model"}, {"value", "demo-large"}});
  CHECK(usage("hello").at("size") == 200'000);
}

TEST_CASE("$/cancel_request ends the prompt of that id with request cancelled, and no other") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions(2);
  client.prompt(1, "/slow", "demo-1");
  client.prompt(2, "/slow", "demo-2");
  client.notify("$/cancel_request", {{"requestId", "2"}});
  client.notify("$/cancel_request", {{"requestId", 3}});
  client.notify("$/cancel_request", {{"requestId", 2.0}});
  CHECK(client.until_reply(2).error_code() == -32800);
  client.cancel("demo-1");
  CHECK(client.until_reply(1).stop_reason() == "cancelled");
}

TEST_CASE("load replays the conversation in order, then answers, then lists the commands") {
  ScriptedClient client({.step_delay = 0ms});
  client.open_sessions();
  client.play("hello");
  const Heard live = client.play("/tool");
  const Heard heard = client.call("session/load", in_session("demo-1"));
  CHECK(heard.updates("user_message_chunk").at(0).at("content").at("text") == "hello");
  CHECK(heard.updates("user_message_chunk").at(1).at("content").at("text") == "/tool");
  CHECK(heard.text().starts_with("Hello. I am the demo agent. You said: \"hello\""));
  CHECK(heard.updates("tool_call") == live.updates("tool_call"));
  CHECK(heard.updates("tool_call_update") == live.updates("tool_call_update"));
  CHECK(heard.updates("usage_update").empty());
  CHECK(kinds(heard).front() == "user_message_chunk");
  CHECK(heard.result().contains("modes"));
  CHECK(client.next().at("params").at("update").at("sessionUpdate") == "available_commands_update");
}

TEST_CASE("resume replays nothing and takes the new folder") {
  ScriptedClient client;
  client.open_sessions();
  client.play("hello");
  const Heard heard = client.call("session/resume", {{"sessionId", "demo-1"}, {"cwd", "/elsewhere"}});
  CHECK(heard.messages.empty());
  CHECK(heard.result().contains("configOptions"));
  CHECK(client.call("session/list").result().at("sessions").at(0).at("cwd") == "/elsewhere");
}

TEST_CASE("a fork starts with the conversation and settings of its source and goes its own way") {
  ScriptedClient client;
  client.open_sessions();
  client.play("hello");
  client.call("session/set_mode", {{"sessionId", "demo-1"}, {"modeId", "plan"}});
  const json::object fork = client.call("session/fork", in_session("demo-1")).result();
  CHECK(fork.at("sessionId") == "demo-2");
  CHECK(fork.at("modes").at("currentModeId") == "plan");
  client.play("only here", "demo-2");
  CHECK(client.call("session/load", in_session("demo-2")).updates("user_message_chunk", "demo-2").size() == 2);
  CHECK(client.call("session/load", in_session("demo-1")).updates("user_message_chunk").size() == 1);
}

TEST_CASE("a fork uses no id of a tool call again and has the same commands") {
  ScriptedClient client({.step_delay = 0ms});
  client.open_sessions();
  client.play("/tool");
  client.play("/commands");
  CHECK(client.call("session/fork", in_session("demo-1")).result().at("sessionId") == "demo-2");
  const json::object commands = object_member(object_member(client.next(), "params"), "update");
  CHECK(commands.at("availableCommands").as_array().back().at("name") == "bonus");
  CHECK(client.play("/bonus", "demo-2").text("demo-2") == "This is the command that /commands added.");
  CHECK(client.play("/edit", "demo-2").updates("tool_call", "demo-2").at(0).at("toolCallId") == "call-3");
  CHECK(client.play("/edit", "demo-1").updates("tool_call", "demo-1").at(0).at("toolCallId") == "call-3");
}

TEST_CASE("load and resume are refused during a turn, which keeps its folder and goes on") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/slow");
  client.next();
  for (const char* method : {"session/load", "session/resume"}) {
    CAPTURE(method);
    const Heard refused = client.call(method, {{"sessionId", "demo-1"}, {"cwd", "/elsewhere"}, {"mcpServers", json::array()}});
    CHECK(refused.error_code() == -32600);
    CHECK(refused.error_text() == "demo-1 is still busy with a prompt. Wait for its end or send session/cancel.");
    CHECK(refused.messages.empty());
  }
  CHECK(client.call("session/list").result().at("sessions").at(0).at("cwd") == "/");
  client.cancel();
  CHECK(client.until_reply(1).stop_reason() == "cancelled");
  CHECK(client.call("session/load", in_session("demo-1")).reply.contains("result"));
}

TEST_CASE("a closed session takes no mode and no option until it is open again") {
  ScriptedClient client;
  client.open_sessions();
  const json::object mode = {{"sessionId", "demo-1"}, {"modeId", "plan"}};
  const json::object option = {{"sessionId", "demo-1"}, {"configId", "model"}, {"value", "demo-large"}};
  client.call("session/close", {{"sessionId", "demo-1"}});
  for (const Heard& refused : {client.call("session/set_mode", mode), client.call("session/set_config_option", option)}) {
    CHECK(refused.error_code() == -32600);
    CHECK(refused.error_text() == "demo-1 is closed. Open it with session/resume or session/load.");
    CHECK(refused.messages.empty());
  }
  const json::object state = client.call("session/resume", in_session("demo-1")).result();
  CHECK(state.at("modes").at("currentModeId") == "ask");
  CHECK(client.call("session/set_mode", mode).reply.contains("result"));
  CHECK(client.call("session/set_config_option", option).reply.contains("result"));
}

TEST_CASE("close cancels the turn and keeps the conversation for load and resume") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/slow");
  client.request(2, "session/close", {{"sessionId", "demo-1"}});
  CHECK(client.until_reply(1).stop_reason() == "cancelled");
  CHECK(client.until_reply(2).result().empty());
  CHECK(client.play("hello").error_text().contains("closed"));
  CHECK(client.call("session/close", {{"sessionId", "demo-1"}}).reply.contains("result"));
  CHECK(client.call("session/load", in_session("demo-1")).updates("user_message_chunk").size() == 1);
  CHECK(client.play("hello").stop_reason() == "end_turn");
}

TEST_CASE("delete cancels the turn, forgets the session and does not mind if there is none") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/slow");
  client.request(2, "session/delete", {{"sessionId", "demo-1"}});
  CHECK(client.until_reply(1).stop_reason() == "cancelled");
  CHECK(client.until_reply(2).result().empty());
  CHECK(client.call("session/list").result().at("sessions").as_array().empty());
  CHECK(client.play("hello").error_code() == -32002);
  CHECK(client.call("session/delete", {{"sessionId", "demo-1"}}).reply.contains("result"));
  CHECK(client.call("session/new", at_root).result().at("sessionId") == "demo-2");
}

TEST_CASE("a mode set in either way is told in both ways before the reply") {
  const std::vector<std::string> both = {"current_mode_update", "config_option_update"};
  ScriptedClient client;
  client.open_sessions();
  const Heard mode = client.call("session/set_mode", {{"sessionId", "demo-1"}, {"modeId", "plan"}});
  CHECK(kinds(mode) == both);
  CHECK(mode.updates("config_option_update").at(0).at("configOptions").at(0).at("currentValue") == "plan");
  CHECK(mode.result().empty());

  const Heard option =
      client.call("session/set_config_option", {{"sessionId", "demo-1"}, {"configId", "mode"}, {"value", "auto"}});
  CHECK(kinds(option) == both);
  CHECK(option.updates("current_mode_update").at(0).at("currentModeId") == "auto");
  CHECK(option.result().at("configOptions").at(0).at("currentValue") == "auto");
}

TEST_CASE("any other option is told in the reply alone") {
  ScriptedClient client;
  client.open_sessions();
  const Heard heard =
      client.call("session/set_config_option", {{"sessionId", "demo-1"}, {"configId", "model"}, {"value", "demo-large"}});
  CHECK(heard.messages.empty());
  CHECK(heard.result().at("configOptions").at(1).at("currentValue") == "demo-large");
}

TEST_CASE("an unknown option or value is refused and the known ones are named") {
  ScriptedClient client;
  client.open_sessions();
  const auto set = [&](std::string_view option, const json::value& value) {
    return client.call("session/set_config_option", {{"sessionId", "demo-1"}, {"configId", option}, {"value", value}})
        .error_text();
  };
  CHECK(set("colour", "red") == "There is no option \"colour\"; there are: mode, model, thought_level.");
  CHECK(set("model", "gpt") == "There is no model \"gpt\"; there are: demo-small, demo-large.");
  CHECK(set("model", true).contains("there are: demo-small"));
  CHECK(client.call("session/set_mode", {{"sessionId", "demo-1"}, {"modeId", "x"}}).error_code() == -32602);
}

}  // namespace sa::mock
