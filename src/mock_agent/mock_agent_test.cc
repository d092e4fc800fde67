#include "mock_agent/mock_agent.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include "mock_agent/scripted_client.h"

using namespace std::chrono_literals;

namespace sa::mock {

TEST_CASE("an id comes back as it was sent") {
  ScriptedClient client;
  client.say(R"({"jsonrpc":"2.0","id":"a\u00e9","method":"session/list"})");
  CHECK(client.next().at("id") == "aé");
  client.say(R"({"jsonrpc":"2.0","id":9007199254740993,"method":"session/list"})");
  CHECK(client.next().at("id") == 9007199254740993);
  client.say(R"({"jsonrpc":"2.0","id":null,"method":"session/list"})");
  CHECK(client.next().at("id").is_null());
  for (const std::string id : {"12345678901234567890123", "1.0", R"("\ud83d")"}) {
    CAPTURE(id);
    client.say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"session/list"})");
    CHECK(client.next_line().starts_with(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)"));
  }
}

TEST_CASE("an unknown request is refused with method not found") {
  ScriptedClient client;
  client.request(1, "session/unheard_of");
  CHECK(client.until_reply(1).error_code() == -32601);
}

TEST_CASE("a line that is no JSON is answered with parse error and id null, and the next line still works") {
  ScriptedClient client;
  client.say("{\"jsonrpc\":");
  CHECK(client.until_reply(nullptr).error_code() == -32700);
  client.say("\"\xff\"");
  CHECK(client.until_reply(nullptr).error_code() == -32700);
  client.open_sessions();
}

TEST_CASE("JSON that is no message is answered with invalid request") {
  ScriptedClient client;
  for (const char* line : {"[]", "17", "{}", R"({"method":2})"}) {
    CAPTURE(line);
    client.say(line);
    CHECK(client.until_reply(nullptr).error_code() == -32600);
  }
}

TEST_CASE("an invalid request is answered under its id") {
  ScriptedClient client;
  client.say(R"({"jsonrpc":"2.0","id":500,"method":7})");
  CHECK(client.until_reply(500).error_code() == -32600);
  client.say(R"({"id":{"a":1},"method":"session/list"})");
  CHECK(client.until_reply({{"a", 1}}).error_code() == -32600);
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  client.say(R"({"id":1,"method":"session/list","params":{"x":)" + nested(1'200) + "}}");
  CHECK(client.until_reply(1).reply.contains("result"));
  client.say(R"({"id":2,"method":"session/list","params":{"x":)" + nested(100'000) + "}}");
  CHECK(client.until_reply(2).error_text().contains("nested"));
}

TEST_CASE("a prompt with deep blocks is kept and replayed") {
  ScriptedClient client;
  client.open_sessions();
  const std::string deep = std::string(3'900, '[') + std::string(3'900, ']');
  client.say(
      R"({"id":1,"method":"session/prompt","params":{"sessionId":"demo-1","prompt":[{"type":"text","text":"hi","_meta":)" +
      deep + "}]}}");
  CHECK(client.until_reply(1).stop_reason() == "end_turn");
  client.request(2, "session/load", {{"sessionId", "demo-1"}, {"cwd", "/"}, {"mcpServers", json::array()}});
  CHECK(client.next_line().contains(deep));
}

TEST_CASE("unknown notifications, stray responses and blank lines are ignored") {
  ScriptedClient client;
  client.notify("$/whatever", {});
  client.cancel("demo-9");
  client.answer(77, {});
  client.say("");
  client.say(" \r");
  client.request(1, "session/list");
  CHECK(client.next().at("id") == 1);
}

TEST_CASE("a line above the limit is refused and skipped, one at the limit is taken") {
  ScriptedClient client({.max_line = 200'000});
  std::string line = R"({"id":1,"method":"session/list"})";
  line.resize(200'000, ' ');
  client.say(line);
  CHECK(client.next().at("id") == 1);
  client.say(line + ' ');
  CHECK(client.until_reply(nullptr).error_code() == -32600);
  client.say(std::string(1'000'000, '['));
  CHECK(client.until_reply(nullptr).error_code() == -32600);
  client.open_sessions();
}

TEST_CASE("a prompt of several MiB comes back whole") {
  ScriptedClient client;
  client.open_sessions();
  const std::string text(5 << 20, 'x');
  client.prompt(1, text);
  CHECK(client.until_reply(1).text().contains('"' + text + '"'));
}

TEST_CASE("the agent exits with 0 at end of input, after saying what it still had to say") {
  ScriptedClient client;
  client.request(1, "session/list");
  client.end_input();
  CHECK(client.exit_code() == 0);
  CHECK(client.last_words().size() == 1);
}

TEST_CASE("end of input ends running turns without a reply") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions(2);
  client.prompt(1, "/slow");
  client.prompt(2, "/permission", "demo-2");
  client.end_input();
  CHECK(client.exit_code() == 0);
  for (const json::object& message : client.last_words()) CHECK(message.contains("method"));
}

TEST_CASE("end of input does not wait for a reader that stands still") {
  ScriptedClient client({.drain_patience = 1ms});
  client.open_sessions();
  client.prompt(1, "/flood 20000");
  client.wait_until_output_is_full();
  client.end_input();
  CHECK(client.exit_code() == 0);
}

TEST_CASE("the agent exits with 0 when its reader leaves, busy or idle") {
  ScriptedClient busy;
  busy.open_sessions();
  busy.prompt(1, "/flood 1000000");
  busy.wait_until_output_is_full();
  busy.stop_reading();
  CHECK(busy.exit_code() == 0);

  ScriptedClient idle;
  idle.stop_reading();
  CHECK(idle.exit_code() == 0);
}

TEST_CASE("waiting costs no processor time") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions(4);
  client.prompt(1, "/hang", "demo-1");
  client.prompt(2, "/slow", "demo-2");
  client.prompt(3, "/permission", "demo-3");
  client.prompt(4, "/flood 20000", "demo-4");
  client.wait_until_output_is_full();
  rusage before{};
  rusage after{};
  ::getrusage(RUSAGE_SELF, &before);
  std::this_thread::sleep_for(50ms);
  ::getrusage(RUSAGE_SELF, &after);
  const auto spent = [](const rusage& use) {
    return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1'000'000 + use.ru_utime.tv_usec + use.ru_stime.tv_usec;
  };
  CHECK(spent(after) - spent(before) < 25'000);
}

}  // namespace sa::mock
