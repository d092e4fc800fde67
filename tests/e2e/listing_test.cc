#include <doctest/doctest.h>

#include <chrono>

#include "support/acp.h"

using namespace rig;

namespace {

std::int64_t wall_clock_ms() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("the listing is empty at first and sorted by server id") {
  Daemon daemon;
  Api api(daemon);
  CHECK_EQ(api.get("/v1/acp").body, R"({"servers":[]})");
  for (const char* id : {"b", "a", "C", "aa"}) REQUIRE_EQ(Acp(daemon, id).call("echo").status, 200);
  std::vector<std::string> ids;
  for (const auto& entry : api.servers()) ids.emplace_back(entry.at("serverId").as_string().c_str());
  CHECK_EQ(ids, std::vector<std::string>{"C", "a", "aa", "b"});
}

TEST_CASE("a running instance is listed with everything the contract names") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto before = wall_clock_ms();
  const auto response = acp.call("surroundings");
  const auto entry = acp.listing();
  CHECK_EQ(entry.at("agent").as_string(), "fake");
  CHECK_EQ(entry.at("status").as_string(), "running");
  CHECK_EQ(entry.at("instanceId").as_string(), response.header("acp-instance-id"));
  CHECK_EQ(acp.listed("pid"), number_at(response.body, "result.pid"));
  CHECK_GE(acp.listed("createdAtMs"), before - 1000);
  CHECK_LE(acp.listed("createdAtMs"), wall_clock_ms() + 1000);
  CHECK_GE(acp.listed("lastActivityAtMs"), acp.listed("createdAtMs"));
  CHECK_EQ(acp.listed("pendingRequests"), 0);
  CHECK_EQ(acp.listed("openAgentRequests"), 0);
  CHECK_EQ(acp.listed("readers"), 0);
  CHECK_EQ(acp.listed("lastEventId"), 1);
  CHECK_FALSE(entry.contains("exitCode"));
  CHECK_FALSE(entry.contains("signal"));
}

TEST_CASE("the listing counts pending requests and readers") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto first = acp.begin_call("hold", R"({"release":2})");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  auto stream = acp.stream();
  CHECK(eventually([&] { return acp.listed("readers") == 1; }));
  CHECK_EQ(acp.call("hold", R"({"release":2})").status, 200);
  CHECK_EQ(first.read_response().status, 200);
  CHECK_EQ(acp.listed("pendingRequests"), 0);
}

TEST_CASE("an exited instance is listed with its exit code or its signal") {
  Daemon daemon;
  Acp by_code(daemon, "code");
  by_code.call("crash", R"({"code":42})");
  CHECK_EQ(by_code.listing().at("status").as_string(), "exited");
  CHECK_EQ(by_code.listed("exitCode"), 42);
  CHECK_FALSE(by_code.listing().contains("signal"));
  Acp by_signal(daemon, "signal");
  by_signal.call("crash", R"({"signal":9})");
  CHECK_EQ(by_signal.listing().at("signal").as_string(), "SIGKILL");
  CHECK_FALSE(by_signal.listing().contains("exitCode"));
}

TEST_CASE("the stderr tail of an instance can be read while it runs and after it died") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("stderr", R"({"text":"a warning"})").status, 200);
  const auto tail = [&] { return acp.get(acp.target() + "/stderr"); };
  CHECK(eventually([&] { return tail().body == "a warning\n"; }));
  CHECK(tail().header("content-type").starts_with("text/plain"));
  acp.call("crash", R"({"stderr":"the end"})");
  CHECK_EQ(tail().body, "a warning\nthe end\n");
  CHECK_EQ(problem_of(acp.get("/v1/acp/nobody/stderr")), "404 not_found");
}

TEST_CASE("one instance too many is 503 with Retry-After, and room is made by DELETE") {
  Daemon daemon({"--max-instances", "3"});
  for (const char* id : {"a", "b", "c"}) REQUIRE_EQ(Acp(daemon, id).call("echo").status, 200);
  Acp fourth(daemon, "d");
  const auto response = fourth.call("echo");
  CHECK_EQ(problem_of(response), "503 overloaded");
  CHECK_NE(response.header("retry-after"), "");
  CHECK_EQ(Acp(daemon, "a").call("echo").status, 200);
  REQUIRE_EQ(Acp(daemon, "a").remove().status, 204);
  CHECK_EQ(fourth.call("echo").status, 200);
}

TEST_SUITE_END();
