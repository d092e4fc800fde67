#include <doctest/doctest.h>

#include "mock_agent/scripted_client.h"

using namespace std::chrono_literals;

namespace sa::mock {

TEST_CASE("/slow sends its chunks one by one with a pause between them") {
  ScriptedClient client({.slow_delay = 5ms});
  client.open_sessions();
  const auto start = std::chrono::steady_clock::now();
  client.prompt(1, "  /slow\t3 ");
  const Heard heard = client.until_reply(1);
  CHECK(std::chrono::steady_clock::now() - start >= 10ms);
  CHECK(heard.text() == "step 1 of 3\nstep 2 of 3\nstep 3 of 3\n");
  CHECK(heard.chunks().size() == 3);
  CHECK(heard.stop_reason() == "end_turn");
}

TEST_CASE("/slow counts to 20 when it gets no number, and says so when it did not understand it") {
  ScriptedClient client({.slow_delay = 0ms});
  client.open_sessions();
  CHECK(client.play("/slow").chunks().size() == 20);
  for (const char* text : {"/slow soon", "/slow -3", "/slow 3x", "/slow 1.5"}) {
    CAPTURE(text);
    const Heard heard = client.play(text);
    CHECK(heard.text().starts_with("What follows /slow is no whole number, so I take 20.\nstep 1 of 20\n"));
    CHECK(heard.chunks().size() == 21);
  }
}

TEST_CASE("a number that is too high is replaced by the highest, which is said") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  for (const char* text : {"/slow 10001", "/slow 99999999999"}) {
    CAPTURE(text);
    client.prompt(1, text);
    const json::object update = client.next().at("params").at("update").as_object();
    CHECK(update.at("content").at("text") == "The highest number for /slow is 10000, so I take that.\n");
    client.cancel();
    client.until_reply(1);
  }
}

TEST_CASE("cancel ends a pausing turn at once") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions();
  client.prompt(1, "/slow");
  client.next();
  client.cancel();
  const Heard heard = client.until_reply(1);
  CHECK(heard.chunks().empty());
  CHECK(heard.stop_reason() == "cancelled");
}

TEST_CASE("one session answers while another is busy, and cancel only meets its own session") {
  ScriptedClient client({.slow_delay = 1h});
  client.open_sessions(3);
  client.prompt(1, "/slow", "demo-1");
  client.prompt(2, "/slow", "demo-2");
  client.prompt(3, "hello", "demo-3");
  CHECK(client.until_reply(3).text("demo-3").contains("hello"));
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
  CHECK(heard.chunks("demo-1").size() == 5);
  CHECK(heard.chunks("demo-2").size() == 10);
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
  CHECK(client.until_reply(1).chunks().size() == 1'000);
}

TEST_CASE("/flood says which number it takes when it did not understand the one it got") {
  ScriptedClient client;
  client.open_sessions();
  const Heard heard = client.play("/flood 1e9");
  CHECK(heard.text().starts_with("What follows /flood is no whole number, so I take 1000.\ntoken 1 "));
  CHECK(heard.text().ends_with("token 1000 "));
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
  CHECK(client.until_reply(2).chunks("demo-2").size() == 3);
  client.end_input();
  CHECK(client.exit_code() == 0);
  CHECK(client.last_words().empty());
}

TEST_CASE("/crash says one chunk, complains on stderr and exits with the code asked for") {
  struct Case {
    const char* text;
    int code;
    const char* words;
  };
  for (const auto& [text, code, words] : {Case{"/crash", 7, "I am"}, Case{"/crash 42", 42, "I am"},
                                          Case{"/crash 1000", 255, "The highest number for /crash is 255"},
                                          Case{"/crash now", 7, "What follows /crash is no whole number, so I take 7."}}) {
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
    CHECK(messages.at(0).at("params").at("update").at("content").at("text").as_string().starts_with(words));

    std::array<char, 200> line{};
    const ssize_t count = ::read(errors.read_end, line.data(), line.size());
    CHECK(std::string_view(line.data(), static_cast<std::size_t>(count)).ends_with(", as asked\n"));
  }
}

TEST_CASE("/hang also ignores the cancelling of its request, but not the end of its session") {
  ScriptedClient client;
  client.open_sessions();
  client.prompt(1, "/hang");
  client.next();
  client.notify("$/cancel_request", {{"requestId", 1}});
  client.request(2, "session/close", {{"sessionId", "demo-1"}});
  CHECK(client.until_reply(1).stop_reason() == "cancelled");
  CHECK(client.until_reply(2).result().empty());
}

TEST_CASE("/error fails the prompt with code, message and data, and the next prompt works") {
  ScriptedClient client;
  client.open_sessions();
  const Heard heard = client.play("/error");
  CHECK(heard.error_code() == -32603);
  CHECK(heard.error_text() == "This is the error you asked for.");
  CHECK(heard.reply.at("error").at("data").is_object());
  CHECK(client.play("hello").stop_reason() == "end_turn");
}

TEST_CASE("/auth needs authenticate, and needs it again after logout") {
  ScriptedClient client;
  client.open_sessions();
  const Heard refused = client.play("/auth");
  CHECK(refused.error_code() == -32000);
  const json::value method = refused.reply.at("error").at("data").at("authMethods").at(0).at("id");
  CHECK(client.call("authenticate", {{"methodId", method}}).reply.contains("result"));
  CHECK(client.play("/auth").stop_reason() == "end_turn");
  CHECK(client.call("logout").reply.contains("result"));
  CHECK(client.play("/auth").error_code() == -32000);
}

}  // namespace sa::mock
