#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("acp");

TEST_CASE("an agent's request appears on the stream and a client's answer reaches the agent") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("ask").status, 200);
  auto stream = acp.stream();
  CHECK_EQ(text_at(stream.next().data, "method"), "session/request_permission");
  CHECK_EQ(acp.listed("openAgentRequests"), 1);
  const auto answer = rpc_result("0", R"({"outcome":"yes"})");
  CHECK_EQ(acp.post(answer).status, 202);
  CHECK_EQ(text_at(stream.until("heard_answer").data, "params.line"), answer);
  CHECK_EQ(acp.listed("openAgentRequests"), 0);
}

TEST_CASE("the first answer to an agent's request wins, later ones are 202 and not forwarded") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("ask", R"({"id":"q"})").status, 200);
  CHECK_EQ(acp.post(rpc_result("\"q\"", "1")).status, 202);
  CHECK_EQ(acp.post(rpc_result("\"q\"", "2")).status, 202);
  CHECK_EQ(acp.post(rpc_result("\"\\u0071\"", "3")).status, 202);
  CHECK_EQ(acp.post(R"({"id":"q","error":{"code":1}})").status, 202);
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stream = acp.stream();
  CHECK_EQ(text_at(stream.until("heard_answer").data, "params.line"), rpc_result("\"q\"", "1"));
  CHECK_FALSE(stream.next().mentions("heard_answer"));
}

TEST_CASE("an agent may use an id again, and it can be answered again") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto stream = [&] {
    acp.call("echo");
    return acp.stream();
  }();
  for (int round = 0; round < 3; ++round) {
    REQUIRE_EQ(acp.call("ask").status, 200);
    const auto answer = rpc_result("0", std::to_string(round));
    CHECK_EQ(acp.post(answer).status, 202);
    CHECK_EQ(text_at(stream.until("heard_answer").data, "params.line"), answer);
  }
}

TEST_CASE("answers to ids the agent never used are forwarded as they are") {
  Daemon daemon;
  Acp acp(daemon, "x");
  for (int i = 0; i < 2; ++i) CHECK_EQ(acp.post(rpc_result("77", "5")).status, 202);
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stream = acp.stream();
  for (int i = 0; i < 2; ++i) CHECK_EQ(text_at(stream.next().data, "params.line"), rpc_result("77", "5"));
}

TEST_CASE("a request of the agent with the id of a client's request is not its answer") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto waiting = acp.begin_call("never", "{}", "0");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  REQUIRE_EQ(acp.call("ask", R"({"id":0})", "1").status, 200);
  CHECK_EQ(acp.post(rpc_result("0")).status, 202);
  acp.post(utterance("{\"id\":0,\"result\":\"its own\"}\n"));
  CHECK_EQ(text_at(waiting.read_response().body, "result"), "its own");
}

TEST_SUITE_END();
