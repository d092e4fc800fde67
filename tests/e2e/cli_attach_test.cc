#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli_instances.h"
#include "scripted_daemon.h"
#include "support/cutting_relay.h"

using namespace rig;

namespace {

// Somebody is attached to an agent that has asked for a permission, and sees the question.
struct OpenQuestion {
  explicit OpenQuestion(bool through_relay = false)
      : terminal(here.home.on_terminal({"attach", "asking"},
                                       {.env = {"SANDBOX_AGENT_URL=http://127.0.0.1:" +
                                                std::to_string(through_relay ? relay.port() : here.daemon.port())}})) {
    REQUIRE(eventually([this] { return talk.acp.listed("readers") == 1; }));
    turn = talk.begin_prompt("/permission");
    REQUIRE(terminal->wait_for("Reject"));
  }

  WatchedDaemon here;
  DemoTalk talk{here.daemon, "asking"};
  CuttingRelay relay{here.daemon.port()};
  std::unique_ptr<Terminal> terminal;
  std::optional<Connection> turn;
};

}  // namespace

TEST_SUITE_BEGIN("cli_instances");

TEST_CASE("attach shows what the agent says as it says it, and Ctrl-C leaves it alone") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  const auto terminal = here.home.on_terminal({"attach", "talking"});
  REQUIRE(eventually([&] { return talk.acp.listed("readers") == 1; }));
  auto turn = talk.begin_prompt("/slow 1000");
  CHECK(terminal->wait_for("step 2 of 1000"));
  terminal->type(Terminal::ctrl_c);
  const auto ending = terminal->wait();
  REQUIRE(ending.has_value());
  CHECK_EQ(ending->signal, 0);
  CHECK_EQ(talk.acp.listed("pendingRequests"), 1);
  CHECK_EQ(talk.acp.notify("session/cancel", R"({"sessionId":")" + talk.session + "\"}").status, 202);
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "cancelled");
}

TEST_CASE("attach gives each turn lines of its own, and tells prompts with --json") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  for (const char* prompt : {"first", "second"}) REQUIRE_EQ(talk.prompt(prompt).status, 200);
  const auto watched = [&](const Words& words) {
    const auto command = here.home.start(words);
    CHECK(eventually([&] { return contains(command->err(), "watching talking"); }));
    command->process().signal(SIGINT);
    return command->end().out;
  };
  const std::string text = watched({"attach", "talking"});
  CHECK(contains(text, "\nHello. I am the demo agent. You said: \"second\""));
  CHECK_FALSE(text.ends_with('\n'));
  const std::string told = watched({"attach", "--json", "talking"});
  CHECK(contains(told, R"({"type":"prompt","text":"first"})"));
  const auto second = told.find(R"({"type":"prompt","text":"second"})");
  REQUIRE_NE(second, std::string::npos);
  CHECK_LT(second, told.find(R"(You said: \"second)"));
}

TEST_CASE("attach asks the questions of an agent that somebody else started, and answers them") {
  OpenQuestion open;
  open.terminal->type("1");
  CHECK_EQ(text_at(open.turn->read_response().body, "result.stopReason"), "end_turn");
  CHECK(open.terminal->wait_for("You chose: Allow once."));
  open.terminal->type(Terminal::ctrl_c);
  CHECK(open.terminal->wait().has_value());
  CHECK_FALSE(open.talk.acp.listing().empty());
}

TEST_CASE("an answer given while the daemon takes no connection reaches the agent when it does again") {
  OpenQuestion open(true);
  open.relay.refuse(true);
  open.terminal->type("1");
  REQUIRE(eventually([&] { return open.relay.refused() > 0; }));
  open.relay.refuse(false);
  CHECK_EQ(text_at(open.turn->read_response().body, "result.stopReason"), "end_turn");
  CHECK(open.terminal->wait_for("You chose: Allow once."));
  CHECK_FALSE(contains(open.terminal->text(), "did not reach"));
}

TEST_CASE("an answer that cannot be sent at all is said to be lost, with how to be asked once more") {
  OpenQuestion open(true);
  open.relay.refuse(true);
  open.terminal->type("1");
  CHECK(open.terminal->wait_for("to be asked once more: sandbox-agent attach asking", milliseconds(10000)));
  CHECK_EQ(open.talk.acp.listed("openAgentRequests"), 1);
}

TEST_CASE("attach is left once, however often it is asked for while a question is open") {
  OpenQuestion open;
  open.terminal->signal(SIGTERM);
  open.terminal->signal(SIGINT);
  REQUIRE(open.terminal->wait().has_value());
  const std::string screen = open.terminal->text();
  const auto left = screen.find("left; asking goes on");
  REQUIRE_NE(left, std::string::npos);
  CHECK_EQ(screen.find("left; asking goes on", left + 1), std::string::npos);
  CHECK_EQ(open.talk.acp.listed("openAgentRequests"), 1);
}

TEST_CASE("a question that was open before is asked when somebody attaches") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "asking");
  auto turn = talk.begin_prompt("/permission");
  REQUIRE(eventually([&] { return talk.acp.listed("openAgentRequests") == 1; }));
  const auto terminal = here.home.on_terminal({"attach", "asking"});
  REQUIRE(terminal->wait_for("Reject"));
  terminal->type("3");
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "end_turn");
  CHECK(terminal->wait_for("You chose: Reject."));
}

TEST_CASE("a question that somebody else answers is not waited for any longer") {
  OpenQuestion open;
  auto stream = open.talk.acp.stream();
  const auto question = parse_json(stream.until("session/request_permission").data);
  const auto chosen = R"({"outcome":{"outcome":"selected","optionId":"allow-once"}})";
  REQUIRE_EQ(open.talk.acp.post(rpc_result(boost::json::serialize(question.at("id")), chosen)).status, 202);
  CHECK_EQ(text_at(open.turn->read_response().body, "result.stopReason"), "end_turn");
  CHECK(open.terminal->wait_for("You chose: Allow once."));
  CHECK_EQ(open.talk.prompt("still talking").status, 200);
  CHECK(open.terminal->wait_for("You said: \"still talking\""));
}

TEST_CASE("attach shows what is asked for: the exact command") {
  OpenQuestion open;
  CHECK(contains(open.terminal->text(), "    command: make clean\n"));
}

TEST_CASE("attach --json tells an open permission with its options and its tool call") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "asking");
  auto turn = talk.begin_prompt("/permission");
  REQUIRE(eventually([&] { return talk.acp.listed("openAgentRequests") == 1; }));
  const auto watching = here.home.start({"attach", "--json", "asking"});
  REQUIRE(eventually([&] { return contains(watching->out(), "\"permission\""); }));
  watching->process().signal(SIGINT);
  const auto told = json_lines(watching->end().out);
  const auto found = std::ranges::find(told, "permission", [](const auto& event) { return event.at("type").as_string(); });
  REQUIRE(found != told.end());
  CHECK_EQ(found->at("options").as_array().size(), 3);
  CHECK_EQ(text_at(boost::json::serialize(*found), "toolCall.rawInput.command"), "make clean");
  CHECK_FALSE(found->contains("answer"));
}

TEST_CASE("attach shows a question with a form, where it is answered, and that it was") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "asking", R"({"elicitation":{"form":{}}})");
  auto turn = talk.begin_prompt("/ask");
  REQUIRE(eventually([&] { return talk.acp.listed("openAgentRequests") == 1; }));
  const auto terminal = here.home.on_terminal({"attach", "--color", "never", "asking"});
  REQUIRE(terminal->wait_for("sandbox-agent ui"));
  CHECK(contains(terminal->text(),
                 "? the agent asks: Which colour shall the door have?\n"
                 "    Colour (required): Red, Green, Blue, None of these\n"
                 "    Note for the painter: text\n"));
  const auto json = here.home.start({"attach", "--json", "asking"});
  REQUIRE(eventually([&] { return contains(json->out(), "\"question\""); }));
  CHECK(contains(json->out(), "\"requestedSchema\""));

  auto stream = talk.acp.stream();
  const auto question = parse_json(stream.until("elicitation/create").data);
  const auto blue = R"({"action":"accept","content":{"colour":"blue"}})";
  REQUIRE_EQ(talk.acp.post(rpc_result(boost::json::serialize(question.at("id")), blue)).status, 202);
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "end_turn");
  CHECK(terminal->wait_for("answered elsewhere: Which colour"));
  CHECK(terminal->wait_for("Your answer: blue."));
}

TEST_CASE("attach does not show a question that the agent has withdrawn") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "asking", R"({"elicitation":{"form":{}}})");
  auto turn = talk.begin_prompt("/ask");
  REQUIRE(eventually([&] { return talk.acp.listed("openAgentRequests") == 1; }));
  REQUIRE_EQ(talk.acp.notify("session/cancel", R"({"sessionId":")" + talk.session + "\"}").status, 202);
  REQUIRE_EQ(text_at(turn.read_response().body, "result.stopReason"), "cancelled");
  const auto terminal = here.home.on_terminal({"attach", "asking"});
  REQUIRE(terminal->wait_for("watching asking"));
  REQUIRE_EQ(talk.prompt("now").status, 200);
  REQUIRE(terminal->wait_for("You said: \"now\""));
  CHECK_FALSE(contains(terminal->text(), "Which colour"));
}

TEST_CASE("attach tells of a turn that failed, and why, also with --json") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  REQUIRE_EQ(talk.prompt("/error").status, 200);
  const auto terminal = here.home.on_terminal({"attach", "--color", "never", "talking"});
  CHECK(terminal->wait_for("✗ the turn failed: This is the error you asked for. (the agent's error -32603)\n"));
  const auto command = here.home.start({"attach", "--json", "talking"});
  CHECK(eventually([&] { return contains(command->out(), R"({"type":"error","text":"This is the error you asked for.)"); }));
  command->process().signal(SIGINT);
  CHECK_EQ(command->end().code, 0);
}

TEST_CASE("attach tells all there is of an error that is no object, and invents no number for one that has none") {
  WatchedDaemon real;
  const DemoTalk talk(real.daemon, "talking");
  const auto instances = "{\"servers\":[" + boost::json::serialize(talk.acp.listing()) + "]}";
  const std::string prompt = R"("method":"session/prompt","params":{"prompt":[]}})";
  const std::string stream = R"(event: client
data: {"jsonrpc":"2.0","id":1,)" +
                             prompt + R"(

event: message
id: 1
data: {"jsonrpc":"2.0","id":1,"error":"boom"}

event: client
data: {"jsonrpc":"2.0","id":2,)" +
                             prompt + R"(

event: message
id: 2
data: {"jsonrpc":"2.0","id":2}

)";
  const ScriptedDaemon daemon([&](const std::string& target) { return target == "/v1/acp" ? instances : stream; });
  const auto ended = real.home.run({"attach", "--json", "talking"}, {.env = {"SANDBOX_AGENT_URL=" + daemon.url()}});
  CHECK(contains(ended.err, "✗ the turn failed: the agent answered with an error (boom)\n"));
  CHECK(contains(ended.err, "✗ the turn failed: the answer has neither a result nor an error\n"));
  CHECK(contains(ended.out, R"json({"type":"error","text":"the agent answered with an error (boom)"})json"));
  CHECK(contains(ended.out, R"({"type":"error","text":"the answer has neither a result nor an error"})"));
}

TEST_CASE("attach tells that messages of clients are no longer kept, and of the agent's none is missing") {
  WatchedDaemon real;
  const DemoTalk talk(real.daemon, "talking");
  const auto instances = "{\"servers\":[" + boost::json::serialize(talk.acp.listing()) + "]}";
  const std::string stream = "event: gap\ndata: {\"clientMessages\":3}\n\n";
  const ScriptedDaemon daemon([&](const std::string& target) { return target == "/v1/acp" ? instances : stream; });
  const auto ended = real.home.run({"attach", "--json", "talking"}, {.env = {"SANDBOX_AGENT_URL=" + daemon.url()}});
  CHECK(contains(ended.out, R"({"type":"note","text":"3 messages of clients are no longer kept"})"));
  CHECK_FALSE(contains(ended.all(), "no longer knows"));
  CHECK_FALSE(contains(ended.out, R"("type":"gap")"));
}

TEST_CASE("attach gives no duration to a turn whose beginning it has not seen") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  REQUIRE_EQ(talk.prompt("before").status, 200);
  const auto terminal = here.home.on_terminal({"attach", "--color", "never", "talking"});
  REQUIRE(terminal->wait_for("watching talking"));
  CHECK(contains(terminal->text(), " tokens\n▸ watching talking"));
  REQUIRE_EQ(talk.prompt("now").status, 200);
  CHECK(terminal->wait_for(" tokens · "));
}

TEST_CASE("attach to an agent that has crashed shows what there is, how it ended, and exits 6") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "gone");
  (void)talk.prompt("/crash 3");
  REQUIRE(eventually([&] { return text_at(boost::json::serialize(talk.acp.listing()), "status") == "exited"; }));
  const auto ended = here.home.run({"attach", "gone"});
  CHECK_EQ(ended.code, 6);
  CHECK(contains(ended.out, "about to crash"));
  CHECK(contains(ended.err, "error: the agent exited with code 3"));
  CHECK_FALSE(contains(ended.err, "watching"));
}

TEST_CASE("attach to an agent that ended by itself exits 0, and one that crashes meanwhile exits 6") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "gone");
  (void)talk.prompt("/crash 0");
  REQUIRE(eventually([&] { return text_at(boost::json::serialize(talk.acp.listing()), "status") == "exited"; }));
  const auto ended = here.home.run({"attach", "gone"});
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.err, "the agent has ended by itself"));

  DemoTalk other(here.daemon, "going");
  const auto watching = here.home.start({"attach", "going"});
  REQUIRE(eventually([&] { return other.acp.listed("readers") == 1; }));
  (void)other.prompt("/crash 4");
  const auto crashed = watching->end();
  CHECK_EQ(crashed.code, 6);
  CHECK(contains(crashed.err, "error: the agent exited with code 4"));
}

TEST_CASE("attach ends with its instance") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  const auto terminal = here.home.on_terminal({"attach", "talking"});
  REQUIRE(eventually([&] { return talk.acp.listed("readers") == 1; }));
  REQUIRE_EQ(talk.acp.remove().status, 204);
  const auto ending = terminal->wait();
  REQUIRE(ending.has_value());
  CHECK_EQ(ending->signal, 0);
}

TEST_CASE("nobody to attach to exits 1 with the ids there are") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  const auto ended = here.home.run({"attach", "nobody"});
  CHECK_EQ(ended.code, 1);
  CHECK(contains(ended.err, "talking"));
}

TEST_SUITE_END();
