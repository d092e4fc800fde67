#include <doctest/doctest.h>

#include "support/acp.h"
#include "support/survivors.h"

using namespace rig;

namespace {

// A conversation with the built-in demo agent, up to an open session.
struct Conversation {
  Acp acp;
  std::string session;

  explicit Conversation(const Daemon& daemon) : acp(daemon, "demo", "mock") {
    const auto hello = acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})");
    REQUIRE_EQ(hello.status, 200);
    CHECK_EQ(number_at(hello.body, "result.protocolVersion"), 1);
    const auto opened = acp.call("session/new", R"({"cwd":"/","mcpServers":[]})");
    REQUIRE_EQ(opened.status, 200);
    session = text_at(opened.body, "result.sessionId");
    REQUIRE_NE(session, "");
  }
  Connection prompt(const std::string& text) {
    return acp.begin_call("session/prompt",
                          R"({"sessionId":")" + session + R"(","prompt":[{"type":"text","text":")" + text + "\"}]}");
  }
};

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("the demo agent needs no installation and echoes a prompt") {
  Daemon daemon;
  Conversation talk(daemon);
  const auto answer = talk.prompt("purple elephants").read_response();
  CHECK_EQ(text_at(answer.body, "result.stopReason"), "end_turn");
  auto stream = talk.acp.stream();
  std::string said;
  for (StreamEvent event = stream.next(); event.data != answer.body; event = stream.next()) {
    if (text_at(event.data, "params.update.sessionUpdate") == "agent_message_chunk") {
      said += text_at(event.data, "params.update.content.text");
    }
  }
  CHECK_NE(said.find("purple elephants"), std::string::npos);
}

TEST_CASE("/flood N says N updates and then ends the turn") {
  Daemon daemon;
  Conversation talk(daemon);
  const auto before = talk.acp.listed("lastEventId");
  const auto answer = talk.prompt("/flood 1000").read_response();
  CHECK_EQ(text_at(answer.body, "result.stopReason"), "end_turn");
  CHECK_GE(talk.acp.listed("lastEventId") - before, 1001);
}

TEST_CASE("/slow can be cancelled") {
  Daemon daemon;
  Conversation talk(daemon);
  auto turn = talk.prompt("/slow");
  auto stream = talk.acp.stream();
  stream.until("session/update");
  const auto start = Clock::now();
  REQUIRE_EQ(talk.acp.notify("session/cancel", R"({"sessionId":")" + talk.session + "\"}").status, 202);
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "cancelled");
  CHECK_LT(since(start), scaled(milliseconds(1000)));
}

TEST_CASE("/permission asks and goes on with the answer") {
  Daemon daemon;
  Conversation talk(daemon);
  auto turn = talk.prompt("/permission");
  auto stream = talk.acp.stream();
  const auto question = parse_json(stream.until("session/request_permission").data);
  const auto option = question.at("params").at("options").at(0).at("optionId").as_string();
  const auto answer = R"({"jsonrpc":"2.0","id":)" + boost::json::serialize(question.at("id")) +
                      R"(,"result":{"outcome":{"outcome":"selected","optionId":")" + std::string(option.c_str()) + "\"}}}";
  REQUIRE_EQ(talk.acp.post(answer).status, 202);
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "end_turn");
}

TEST_CASE("/crash ends the process with something on stderr") {
  Daemon daemon;
  Conversation talk(daemon);
  const auto response = talk.prompt("/crash").read_response();
  CHECK_EQ(problem_of(response), "502 agent_process_exited");
  CHECK_NE(talk.acp.get(talk.acp.target() + "/stderr").body, "");
}

TEST_CASE("/hang ignores a cancel and is ended by DELETE") {
  Daemon daemon({"--stop-grace-ms", "300"});
  Conversation talk(daemon);
  auto turn = talk.prompt("/hang");
  REQUIRE(eventually([&] { return talk.acp.listed("pendingRequests") == 1; }));
  talk.acp.notify("session/cancel", R"({"sessionId":")" + talk.session + "\"}");
  CHECK_FALSE(turn.readable_unscaled(milliseconds(200)));
  CHECK_EQ(talk.acp.remove().status, 204);
  CHECK_EQ(problem_of(turn.read_response()), "502 agent_process_exited");
}

TEST_SUITE_END();
