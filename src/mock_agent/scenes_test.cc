#include "mock_agent/scenes.h"

#include <doctest/doctest.h>

#include "mock_agent/scripted_client.h"

using namespace std::chrono_literals;

namespace sa::mock {
namespace {

const std::string scene_line =
    "I can show you: /slow /permission /flood /hang /crash   (try: sandbox-agent run \"/permission\")";

std::string said(std::string_view text) {
  return "Hello. I am the demo agent. You said: \"" + std::string(text) + "\"\n" + scene_line;
}

json::object selected(std::string_view option) { return {{"outcome", {{"outcome", "selected"}, {"optionId", option}}}}; }

// Starts /permission, lets `reply` answer the question and returns what followed it.
Heard ask_permission(ScriptedClient& client, auto reply) {
  client.open_sessions();
  client.prompt(1, "/permission");
  const json::object announced = client.next();
  const json::value& call = announced.at("params").at("update");
  CHECK(call.at("sessionUpdate") == "tool_call");
  CHECK(call.at("kind") == "execute");
  CHECK(call.at("status") == "pending");
  CHECK(call.at("title") == call.at("rawInput").at("command"));

  const json::object question = client.next();
  CHECK(question.at("method") == "session/request_permission");
  CHECK(question.at("params").at("toolCall").at("toolCallId") == call.at("toolCallId"));
  CHECK(question.at("params").at("options").as_array().size() == 3);
  reply(question.at("id").as_int64());
  return client.until_reply(1);
}

std::string final_status(const Heard& heard) {
  const json::object update = object_member(object_member(heard.messages.at(0), "params"), "update");
  CHECK(string_member(update, "sessionUpdate") == "tool_call_update");
  return std::string(string_member(update, "status"));
}

}  // namespace

TEST_CASE("any other text is echoed in a few chunks together with the scenes that exist") {
  ScriptedClient client;
  client.open_sessions();
  for (const std::string_view text : {"What does this folder contain?", "", "/slowly", "say /slow", "é \"q\" \n 𝄞"}) {
    CAPTURE(text);
    client.prompt(1, text);
    const Heard heard = client.until_reply(1);
    CHECK(heard.text() == said(text));
    CHECK(heard.messages.size() == 3);
    CHECK(heard.stop_reason() == "end_turn");
  }
}

TEST_CASE("the first text block counts, whatever stands around it") {
  ScriptedClient client;
  client.open_sessions();
  const json::array blocks = {json::object{{"type", "resource_link"}, {"name", "a"}, {"uri", "file:///a"}},
                              json::object{{"type", "text"}, {"text", "one"}}, json::object{{"type", "text"}, {"text", "two"}}};
  client.request(1, "session/prompt", {{"sessionId", "demo-1"}, {"prompt", blocks}});
  CHECK(client.until_reply(1).text() == said("one"));
  client.request(2, "session/prompt", {{"sessionId", "demo-1"}, {"prompt", json::array()}});
  CHECK(client.until_reply(2).text() == said(""));
}

TEST_CASE("/slow sends its chunks one by one with a pause between them") {
  ScriptedClient client({.slow_delay = 5ms});
  client.open_sessions();
  const auto start = std::chrono::steady_clock::now();
  client.prompt(1, "  /slow\t3 ");
  const Heard heard = client.until_reply(1);
  CHECK(std::chrono::steady_clock::now() - start >= 10ms);
  CHECK(heard.text() == "step 1 of 3\nstep 2 of 3\nstep 3 of 3\n");
  CHECK(heard.messages.size() == 3);
  CHECK(heard.stop_reason() == "end_turn");
}

TEST_CASE("/slow counts to 20 when it gets no number") {
  ScriptedClient client({.slow_delay = 0ms});
  client.open_sessions();
  for (const char* text : {"/slow", "/slow soon", "/slow -3", "/slow 3x"}) {
    CAPTURE(text);
    client.prompt(1, text);
    CHECK(client.until_reply(1).messages.size() == 20);
  }
}

TEST_CASE("cancel ends a pausing turn at once") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/slow");
  client.next();
  client.cancel();
  const Heard heard = client.until_reply(1);
  CHECK(heard.messages.empty());
  CHECK(heard.stop_reason() == "cancelled");
}

TEST_CASE("one session answers while another is busy, and cancel only meets its own session") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions(3);
  client.prompt(1, "/slow", "demo-1");
  client.prompt(2, "/slow", "demo-2");
  client.prompt(3, "hello", "demo-3");
  CHECK(client.until_reply(3).text("demo-3") == said("hello"));
  client.cancel("demo-2");
  CHECK(client.until_reply(2).stop_reason() == "cancelled");
  client.cancel("demo-1");
  CHECK(client.until_reply(1).stop_reason() == "cancelled");
}

TEST_CASE("two slow turns interleave") {
  ScriptedClient client({.slow_delay = 1ms});
  client.open_sessions(2);
  client.prompt(1, "/slow 5", "demo-1");
  client.prompt(2, "/slow 10", "demo-2");
  const Heard heard = client.until_reply(2);
  CHECK(heard.text("demo-1").ends_with("step 5 of 5\n"));
  CHECK(heard.text("demo-2").ends_with("step 10 of 10\n"));
  CHECK(heard.messages.size() == 5 + 10 + 1);
}

TEST_CASE("/permission reports the chosen option and completes or fails the tool call") {
  struct Case {
    const char* option;
    const char* status;
    const char* words;
  };
  for (const auto& [option, status, words] :
       {Case{"allow-once", "completed", "You chose: Allow once."},
        Case{"allow-always", "completed", "You chose: Always allow."}, Case{"reject-once", "failed", "You chose: Reject."},
        Case{"unheard-of", "failed", "counts as: Reject."}}) {
    CAPTURE(option);
    ScriptedClient client;
    const Heard heard = ask_permission(client, [&](std::int64_t id) { client.answer(id, selected(option)); });
    CHECK(final_status(heard) == status);
    CHECK(heard.text().contains(words));
    CHECK(heard.stop_reason() == "end_turn");
  }
}

TEST_CASE("an error as the answer to /permission counts as rejected") {
  ScriptedClient client;
  const Heard heard =
      ask_permission(client, [&](std::int64_t id) { client.say(json::serialize(make_error(id, {-32603, "no"}))); });
  CHECK(final_status(heard) == "failed");
  CHECK(heard.stop_reason() == "end_turn");
}

TEST_CASE("a cancelled answer to /permission ends the turn as cancelled") {
  ScriptedClient client;
  const Heard heard =
      ask_permission(client, [&](std::int64_t id) { client.answer(id, {{"outcome", {{"outcome", "cancelled"}}}}); });
  CHECK(heard.stop_reason() == "cancelled");
}

TEST_CASE("cancel ends a turn whose permission question is open, and the late answer is ignored") {
  ScriptedClient client;
  std::int64_t question = 0;
  const Heard heard = ask_permission(client, [&](std::int64_t id) {
    question = id;
    client.cancel();
  });
  CHECK(heard.stop_reason() == "cancelled");
  client.answer(question, selected("allow-once"));
  client.prompt(2, "hello");
  CHECK(client.until_reply(2).text() == said("hello"));
}

TEST_CASE("/flood sends numbered tokens in order to a reader that starts late, and reads on meanwhile") {
  ScriptedClient client;
  client.open_sessions(2);
  client.prompt(1, "/flood 20000");
  client.wait_until_output_is_full();
  client.prompt(2, std::string(300'000, 'x'), "demo-2");  // larger than the pipe: only a reading agent takes it

  const Heard heard = client.until_reply(1);
  std::string expected;
  for (int i = 1; i <= 20'000; ++i) expected += "token " + std::to_string(i) + " ";
  CHECK(heard.text() == expected);
  CHECK(heard.stop_reason() == "end_turn");
  CHECK(heard.text("demo-2").size() > 300'000);
}

TEST_CASE("/flood sends 1000 tokens when it gets no number") {
  ScriptedClient client;
  client.open_sessions();
  client.prompt(1, "/flood");
  CHECK(client.until_reply(1).messages.size() == 1'000);
}

TEST_CASE("cancel ends a flood, also while nobody reads") {
  ScriptedClient client;
  client.open_sessions();
  client.prompt(1, "/flood 99999999999");
  client.wait_until_output_is_full();
  client.cancel();
  const Heard heard = client.until_reply(1);
  CHECK(heard.stop_reason() == "cancelled");
  CHECK(heard.messages.size() < 10'000);
}

TEST_CASE("two floods take turns") {
  ScriptedClient client;
  client.open_sessions(2);
  client.prompt(1, "/flood 1000000", "demo-1");
  client.prompt(2, "/flood 3000", "demo-2");
  const Heard heard = client.until_reply(2);
  CHECK(heard.text("demo-2").ends_with("token 3000 "));
  CHECK(heard.messages.size() < 20'000);
}

TEST_CASE("/hang says one thing, ignores cancel and leaves other sessions alone") {
  ScriptedClient client;
  client.open_sessions(2);
  client.prompt(1, "/hang");
  CHECK(client.next().at("method") == "session/update");
  client.cancel();
  client.prompt(2, "hello", "demo-2");
  CHECK(client.until_reply(2).messages.size() == 3);
  client.end_input();
  CHECK(client.exit_code() == 0);
  CHECK(client.last_words().empty());
}

TEST_CASE("/crash says one chunk, complains on stderr and exits with the code asked for") {
  for (const auto& [text, code] : {std::pair{"/crash", 7}, {"/crash 42", 42}, {"/crash 1000", 255}}) {
    CAPTURE(text);
    Pipe errors;
    ScriptedClient client({.error_fd = errors.write_end});
    client.open_sessions();
    client.prompt(1, text);
    client.prompt(2, "too late");
    CHECK(client.exit_code() == code);
    const auto messages = client.last_words();
    CHECK(messages.size() == 1);
    CHECK(messages.at(0).at("method") == "session/update");

    std::array<char, 200> line{};
    const ssize_t count = ::read(errors.read_end, line.data(), line.size());
    CHECK(std::string_view(line.data(), static_cast<std::size_t>(count)).ends_with(", as asked\n"));
  }
}

}  // namespace sa::mock
