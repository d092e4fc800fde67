#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

const Headers respond_async = {{"Prefer", "respond-async"}};

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("an asynchronous request is 202 at once and answered on the stream only") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto response = acp.post(rpc_request("1", "slow", R"({"ms":150})"), respond_async);
  CHECK_EQ(response.status, 202);
  CHECK_EQ(response.header("preference-applied"), "respond-async");
  CHECK_NE(response.header("acp-instance-id"), "");
  CHECK_EQ(response.body, "");
  auto stream = acp.stream();
  CHECK(stream.next().mentions("slow"));
}

TEST_CASE("an asynchronous id is in flight until its answer came") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.post(rpc_request("1", "never"), respond_async).status, 202);
  CHECK_EQ(problem_of(acp.post(rpc_request("1", "echo"), respond_async)), "409 conflict");
  CHECK_EQ(problem_of(acp.call("echo", "{}", "1")), "409 conflict");
  CHECK_EQ(acp.listed("pendingRequests"), 1);
  acp.post(utterance("{\"id\":1,\"result\":{}}\n"));
  auto stream = acp.stream();
  stream.next();
  CHECK_EQ(acp.call("echo", "{}", "1").status, 200);
}

TEST_CASE("the preference is found in a list, in any case, and wait= is ignored") {
  Daemon daemon;
  Acp acp(daemon, "x");
  int id = 0;
  for (const char* prefer :
       {"respond-async, wait=10", "wait=10, respond-async", "Respond-Async", "handling=lenient,respond-async"}) {
    INFO(prefer);
    const auto response = acp.post(rpc_request(std::to_string(++id), "never"), {{"Prefer", prefer}});
    CHECK_EQ(response.status, 202);
    CHECK_EQ(response.header("preference-applied"), "respond-async");
  }
  CHECK_EQ(acp.post(rpc_request("99", "echo"), {{"Prefer", "wait=10"}}).status, 200);
}

TEST_CASE("the preference does not change what is wrong or is no request") {
  Daemon daemon;
  Acp acp(daemon, "x");
  CHECK_EQ(problem_of(acp.post("[]", respond_async)), "400 invalid_request");
  CHECK_EQ(problem_of(Acp(daemon, "y", "nobody").post(rpc_request("1", "x"), respond_async)), "400 unsupported_agent");
  CHECK_EQ(acp.post(rpc_notification("note"), respond_async).status, 202);
}

TEST_CASE("an asynchronous request to an agent that cannot start is an error, not a 202") {
  Daemon daemon({"--agent", "broken=/no/such/program"});
  CHECK_EQ(problem_of(Acp(daemon, "x", "broken").post(rpc_request("1", "x"), respond_async)), "502 agent_spawn_failed");
}

TEST_CASE("when the agent dies an asynchronous request ends with agent_exited only") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.post(rpc_request("1", "crash"), respond_async).status, 202);
  auto stream = acp.stream();
  CHECK(stream.next().mentions("_adapter/agent_exited"));
  CHECK(stream.quiet_for(milliseconds(100)));
}

TEST_SUITE_END();
