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
  void answer(const boost::json::value& question, const std::string& result) const {
    REQUIRE_EQ(acp.post(rpc_result(boost::json::serialize(question.at("id")), result)).status, 202);
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
  auto turn = talk.prompt("/slow 100");  // it would take 25 s
  auto stream = talk.acp.stream();
  stream.until("agent_message_chunk");
  const auto start = Clock::now();
  REQUIRE_EQ(talk.acp.notify("session/cancel", R"({"sessionId":")" + talk.session + "\"}").status, 202);
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "cancelled");
  CHECK_LT(since(start), scaled(milliseconds(5000)));
}

TEST_CASE("/permission asks and goes on with the answer") {
  Daemon daemon;
  Conversation talk(daemon);
  auto turn = talk.prompt("/permission");
  auto stream = talk.acp.stream();
  const auto question = parse_json(stream.until("session/request_permission").data);
  const std::string option(question.at("params").at("options").at(0).at("optionId").as_string().c_str());
  talk.answer(question, R"({"outcome":{"outcome":"selected","optionId":")" + option + "\"}}");
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "end_turn");
}

TEST_CASE("a cancelled question is withdrawn on the stream before the turn is answered") {
  Daemon daemon;
  Conversation talk(daemon);
  auto turn = talk.prompt("/permission");
  auto stream = talk.acp.stream();
  const auto question = parse_json(stream.until("session/request_permission").data);
  talk.acp.notify("session/cancel", R"({"sessionId":")" + talk.session + "\"}");
  const auto withdrawn = stream.until("$/cancel_request");
  CHECK_EQ(at_path(parse_json(withdrawn.data), "params.requestId"), question.at("id"));
  const auto answer = turn.read_response();
  CHECK_EQ(text_at(answer.body, "result.stopReason"), "cancelled");
  CHECK_EQ(stream.until("stopReason").data, answer.body);
}

TEST_CASE("/fs writes and reads through the client on the other side of the stream") {
  Daemon daemon;
  Conversation talk(daemon);
  const auto offer = R"({"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true}}})";
  REQUIRE_EQ(talk.acp.call("initialize", offer).status, 200);
  auto turn = talk.prompt("/fs");
  auto stream = talk.acp.stream();
  const auto write = parse_json(stream.until("fs/write_text_file").data);
  CHECK_EQ(at_path(write, "params.path"), "/sandbox-agent-demo.txt");
  talk.answer(write, "{}");
  const auto read = parse_json(stream.until("fs/read_text_file").data);
  talk.answer(read, R"({"content":"1234"})");
  stream.until("I read 4 bytes");
  CHECK_EQ(text_at(turn.read_response().body, "result.stopReason"), "end_turn");
}

TEST_CASE("session/load replays the conversation on the stream before its answer") {
  Daemon daemon;
  Conversation talk(daemon);
  REQUIRE_EQ(talk.prompt("purple elephants").read_response().status, 200);
  auto stream = talk.acp.stream_after(static_cast<std::uint64_t>(talk.acp.listed("lastEventId")));
  const auto answer = talk.acp.call("session/load", R"({"cwd":"/","mcpServers":[],"sessionId":")" + talk.session + "\"}");
  const auto first = stream.next();
  CHECK_EQ(text_at(first.data, "params.update.sessionUpdate"), "user_message_chunk");
  CHECK_EQ(text_at(first.data, "params.update.content.text"), "purple elephants");
  CHECK_EQ(text_at(stream.next().data, "params.update.sessionUpdate"), "agent_message_chunk");
  CHECK_EQ(stream.next().data, answer.body);
}

TEST_CASE("a request the demo agent cannot take is answered nevertheless") {
  Daemon daemon;
  Conversation talk(daemon);
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& body : {std::string(R"({"jsonrpc":"2.0","id":500,"method":7})"),
                                  std::string(R"({"jsonrpc":"2.0","id":{"a":1},"method":"session/list"})"),
                                  R"({"jsonrpc":"2.0","id":501,"method":"session/list","params":)" + deep + "}"}) {
    const auto answer = talk.acp.post(body);
    CHECK_EQ(answer.status, 200);
    CHECK_EQ(number_at(answer.body, "error.code"), -32600);
  }
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
