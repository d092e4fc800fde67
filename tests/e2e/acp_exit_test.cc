#include <doctest/doctest.h>

#include "support/acp.h"
#include "support/survivors.h"

using namespace rig;

TEST_SUITE_BEGIN("acp");

TEST_CASE("a request pending when the agent dies is 502 with the exit code and the last stderr lines") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto response = acp.call("crash", R"({"code":7,"stderr":"famous last words"})");
  CHECK_EQ(problem_of(response), "502 agent_process_exited");
  CHECK_EQ(number_at(response.body, "exitCode"), 7);
  CHECK_EQ(text_at(response.body, "agent"), "fake");
  CHECK(at_path(parse_json(response.body), "signal").is_null());
  CHECK(response.body.find("famous last words") != std::string::npos);
}

TEST_CASE("a request pending when the agent is killed is 502 with the name of the signal") {
  Daemon daemon;
  for (const auto& [number, name] : {std::pair{9, "SIGKILL"}, {11, "SIGSEGV"}, {6, "SIGABRT"}, {15, "SIGTERM"}}) {
    Acp acp(daemon, name);
    const auto response = acp.call("crash", R"({"signal":)" + std::to_string(number) + "}");
    CHECK_EQ(problem_of(response), "502 agent_process_exited");
    CHECK_EQ(text_at(response.body, "signal"), name);
    CHECK(at_path(parse_json(response.body), "exitCode").is_null());
  }
}

TEST_CASE("every pending request is answered within 250 ms of the exit") {
  Daemon daemon;
  int played = 0;
  const auto limit = scaled(milliseconds(350));
  const auto took = best_of_three(limit, [&] {
    Acp acp(daemon, "x" + std::to_string(++played));
    std::vector<Connection> waiting;
    for (int i = 0; i < 10; ++i) waiting.push_back(acp.begin_call("never"));
    REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 10; }));
    const auto start = Clock::now();
    acp.notify("crash");
    for (auto& connection : waiting) CHECK_EQ(problem_of(connection.read_response()), "502 agent_process_exited");
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("an answer written just before the exit is still a 200") {
  Daemon daemon;
  for (int i = 0; i < 20; ++i) {
    Acp acp(daemon, "x" + std::to_string(i));
    const auto response = acp.call("crash", R"({"code":0,"answer":true,"updates":3})");
    CHECK_EQ(response.status, 200);
    CHECK_EQ(response.header("acp-event-id"), "4");
    auto stream = acp.stream();
    CHECK(stream.until_id(5).mentions("_adapter/agent_exited"));
  }
}

TEST_CASE("the stream ends its story with agent_exited and stays open") {
  Daemon daemon;
  Acp acp(daemon, "x");
  acp.call("crash", R"({"code":3,"updates":100})");
  auto stream = acp.stream();
  const auto event = stream.until("_adapter/agent_exited");
  CHECK_EQ(event.id, 101);
  const auto params = at_path(parse_json(event.data), "params");
  CHECK_EQ(params.at("success").as_bool(), false);
  CHECK_EQ(params.at("code").to_number<int>(), 3);
  CHECK(at_path(params, "signal").is_null());
  CHECK(stream.quiet_for(milliseconds(200)));
  CHECK_EQ(acp.listed("readers"), 1);
  CHECK_EQ(acp.remove().status, 204);
  CHECK(stream.ends_within(milliseconds(2000)));
}

TEST_CASE("agent_exited tells success and signals apart") {
  Daemon daemon;
  Acp clean(daemon, "clean");
  clean.call("crash", R"({"code":0})");
  auto after_clean = clean.stream();
  CHECK_EQ(parse_json(after_clean.until("agent_exited").data).at("params").at("success").as_bool(), true);
  Acp killed(daemon, "killed");
  killed.call("crash", R"({"signal":9})");
  auto after_killed = killed.stream();
  const auto params = parse_json(after_killed.until("agent_exited").data).at("params");
  CHECK_EQ(params.at("success").as_bool(), false);
  CHECK_EQ(params.at("signal").as_string(), "SIGKILL");
}

TEST_CASE("a POST to an exited instance is the same 502, and it stays listed until DELETE") {
  Daemon daemon;
  Acp acp(daemon, "x");
  acp.call("crash", R"({"code":7})");
  const auto response = acp.call("echo");
  CHECK_EQ(problem_of(response), "502 agent_process_exited");
  CHECK_EQ(number_at(response.body, "exitCode"), 7);
  CHECK_EQ(problem_of(acp.notify("note")), "502 agent_process_exited");
  CHECK_EQ(acp.listing().at("status").as_string(), "exited");
  CHECK_EQ(acp.listed("exitCode"), 7);
  CHECK_EQ(acp.remove().status, 204);
  CHECK(acp.listing().empty());
  CHECK_EQ(acp.call("echo").status, 200);
}

TEST_CASE("a grandchild that keeps the pipe open does not delay the exit") {
  Daemon daemon;
  int played = 0;
  const auto limit = scaled(milliseconds(1500));
  const auto took = best_of_three(limit, [&] {
    Acp acp(daemon, "x" + std::to_string(++played));
    const auto start = Clock::now();
    auto waiting = acp.begin_call("never");
    REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
    acp.call("tree", R"({"kind":"child_gone"})", "2");
    CHECK_EQ(problem_of(waiting.read_response()), "502 agent_process_exited");
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("a request to an agent that dies at once tells its exit code and last words, whichever is noticed first") {
  Daemon daemon({"--agent", "stillborn=" + fake_agent_command() + " no-such-mode"});
  for (int i = 0; i < 20; ++i) {
    const auto response = Acp(daemon, "x" + std::to_string(i), "stillborn").call("echo");
    INFO(response.body);
    REQUIRE_EQ(problem_of(response), "502 agent_process_exited");
    CHECK_EQ(number_at(response.body, "exitCode"), 2);
    CHECK_NE(response.body.find("no mode"), std::string::npos);
  }
}

TEST_CASE("an agent that closes its stdin makes a POST fail with 502") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("close_stdin").status, 200);
  CHECK(eventually([&] { return acp.notify("note").status == 502; }));
}

TEST_CASE("stdin that is not read fills a bounded outbox, then POST is 503 with Retry-After") {
  Daemon daemon({"--outbox-bytes", "1048576"});
  Acp acp(daemon, "x", "deaf");
  const auto note = rpc_notification("note", '"' + std::string(100000, 'n') + '"');
  Response response;
  int taken = 0;
  while ((response = acp.post(note)).status == 202 && taken < 100) ++taken;
  CHECK_EQ(problem_of(response), "503 overloaded");
  CHECK_NE(response.header("retry-after"), "");
  CHECK_GE(taken, 8);
  CHECK_LE(taken, 14);
  CHECK_EQ(acp.remove().status, 204);
}

TEST_CASE("a flood on stderr is drained and a bounded tail of it kept") {
  Daemon daemon;
  Acp acp(daemon, "x");
  CHECK_EQ(acp.call("stderr", R"({"bytes":8388608})").status, 200);
  REQUIRE(eventually([&] { return acp.get(acp.target() + "/stderr").body.find("end of flood") != std::string::npos; }));
  const auto tail = acp.get(acp.target() + "/stderr");
  CHECK_EQ(tail.status, 200);
  CHECK(tail.header("content-type").starts_with("text/plain"));
  CHECK_LT(tail.body.size(), 1 << 20);
}

TEST_SUITE_END();
