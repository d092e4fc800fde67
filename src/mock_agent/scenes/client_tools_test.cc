#include <doctest/doctest.h>

#include "mock_agent/scripted_client.h"

namespace sa::mock {
namespace {

json::object with_files(bool read, bool write) { return {{"fs", {{"readTextFile", read}, {"writeTextFile", write}}}}; }

const json::object with_terminal = {{"terminal", true}};

// The next request, which must be `method`; returns its params and sets `id`.
json::object expect(ScriptedClient& client, std::string_view method, std::int64_t& id) {
  const json::object request = client.next_request();
  CHECK(string_member(request, "method") == method);
  CHECK(request.at("params").at("sessionId") == "demo-1");
  id = request.at("id").as_int64();
  return request.at("params").as_object();
}

// A client with a terminal that was asked to create one; returns that request's id.
std::int64_t begin_terminal(ScriptedClient& client) {
  client.initialize(with_terminal);
  client.open_sessions();
  client.prompt(1, "/terminal");
  std::int64_t id = 0;
  expect(client, "terminal/create", id);
  return id;
}

}  // namespace

TEST_CASE("/fs and /terminal touch nothing when the client offered nothing") {
  ScriptedClient client;
  client.initialize({});
  client.open_sessions();
  for (const char* scene : {"/fs", "/terminal"}) {
    CAPTURE(scene);
    const Heard heard = client.play(scene);
    CHECK(heard.text().starts_with("Your client offered no "));
    CHECK(heard.updates("tool_call").empty());
  }
}

TEST_CASE("/fs writes a demo file below the session's folder and reads it back") {
  ScriptedClient client;
  client.initialize(with_files(true, true));
  client.open_sessions(1, "/project");
  client.prompt(1, "/fs");
  std::int64_t id = 0;
  const json::object written = expect(client, "fs/write_text_file", id);
  CHECK(written.at("path") == "/project/sandbox-agent-demo.txt");
  client.answer(id, {});
  CHECK(expect(client, "fs/read_text_file", id).at("path") == written.at("path"));
  client.answer(id, {{"content", written.at("content")}});
  const Heard heard = client.until_reply(1);
  CHECK(heard.text().contains("I read 65 bytes from /project/sandbox-agent-demo.txt."));
  CHECK(heard.statuses() == std::vector<std::string>{"completed"});
}

TEST_CASE("/fs uses only what was offered and repeats what went wrong") {
  ScriptedClient client;
  client.open_sessions();
  std::int64_t id = 0;
  client.initialize(with_files(false, true));
  client.prompt(1, "/fs");
  expect(client, "fs/write_text_file", id);
  client.answer_error(id, "disk full");
  CHECK(client.until_reply(1).text().ends_with("disk full"));

  client.initialize(with_files(true, false));
  client.prompt(1, "/fs");
  expect(client, "fs/read_text_file", id);
  client.answer_error(id, "no such file");
  const Heard heard = client.until_reply(1);
  CHECK(heard.text().ends_with("no such file"));
  CHECK(heard.statuses() == std::vector<std::string>{"failed"});
  CHECK(heard.stop_reason() == "end_turn");
}

TEST_CASE("/terminal runs a command, shows its terminal and gives it back") {
  ScriptedClient client;
  client.initialize(with_terminal);
  client.open_sessions(1, "/project");
  client.prompt(1, "/terminal");
  std::int64_t id = 0;
  const json::object command = expect(client, "terminal/create", id);
  CHECK(command.at("command") == "echo");
  CHECK(command.at("cwd") == "/project");
  client.answer(id, {{"terminalId", "t-1"}});
  CHECK(expect(client, "terminal/wait_for_exit", id).at("terminalId") == "t-1");
  client.answer(id, {{"exitCode", 0}});
  expect(client, "terminal/output", id);
  client.answer(id, {{"output", "Hello\n"}, {"truncated", false}});
  CHECK(expect(client, "terminal/release", id).at("terminalId") == "t-1");
  CHECK(client.until_reply(1).stop_reason() == "end_turn");

  const Heard again =
      client.call("session/load", {{"sessionId", "demo-1"}, {"cwd", "/project"}, {"mcpServers", json::array()}});
  CHECK(again.text() == "It ended with exit code 0 and said:\nHello\n");
  CHECK(again.updates("tool_call_update").at(0).at("content").at(0) ==
        json::value{{"type", "terminal"}, {"terminalId", "t-1"}});
}

TEST_CASE("a client that has no terminal after all is quoted") {
  ScriptedClient client;
  const std::int64_t id = begin_terminal(client);
  client.answer_error(id, "none left");
  const Heard heard = client.until_reply(1);
  CHECK(heard.text() == "Your client could not start a terminal: none left");
  CHECK(heard.statuses() == std::vector<std::string>{"failed"});
}

TEST_CASE("cancel gives a terminal back and fails its tool call before the turn ends") {
  ScriptedClient client;
  std::int64_t id = begin_terminal(client);
  client.answer(id, {{"terminalId", "t-1"}});
  expect(client, "terminal/wait_for_exit", id);
  client.cancel();
  CHECK(client.next().at("method") == "$/cancel_request");
  CHECK(client.next().at("method") == "terminal/release");
  const Heard heard = client.until_reply(1);
  CHECK(heard.statuses() == std::vector<std::string>{"failed"});
  CHECK(heard.stop_reason() == "cancelled");
}

}  // namespace sa::mock
