#include <doctest/doctest.h>
#include <signal.h>

#include <thread>

#include "support/acp.h"
#include "support/oracle.h"

using namespace rig;

namespace {

struct Watched {
  Daemon daemon;
  Acp acp;
  Oracle oracle;

  explicit Watched(std::vector<std::string> flags) : daemon(std::move(flags)), acp(daemon, "x"), oracle(daemon) {
    const auto instance = acp.call("echo").header("acp-instance-id");
    oracle.know_agent(instance, acp.pid());
  }
};

// Flags of a daemon that does not call a reader stalled, or too slow, because we stood still for a while.
std::vector<std::string> patient_and(const std::string& flag, const std::string& value) {
  return {"--reader-stall-ms", "30000", "--reader-hold-ms", "60000", flag, value};
}

}  // namespace

TEST_SUITE_BEGIN("sse");

TEST_CASE("a slow reader that keeps reading is never lapped: the agent waits") {
  Watched watched(patient_and("--ring-messages", "500"));
  const auto slow = watched.oracle.add_reader({.server_id = "x", .receive_buffer = 16384, .bytes_per_second = 4000000});
  REQUIRE(eventually([&] { return watched.acp.listed("readers") == 1; }));
  const auto start = Clock::now();
  auto burst = watched.acp.begin_call("burst", R"({"count":8000,"bytes":200})");
  CHECK_EQ(burst.read_response(false, milliseconds(20000)).status, 200);
  CHECK_GT(since(start), milliseconds(300));
  CHECK(watched.oracle.all_reach(8002, milliseconds(10000)));
  CHECK_EQ(watched.oracle.verdict(false), std::vector<std::string>{});
  CHECK_EQ(watched.oracle.report(slow).events, 8002);
}

TEST_CASE("by bytes as by count") {
  Watched watched(patient_and("--ring-bytes", "200000"));
  watched.oracle.add_reader({.server_id = "x", .receive_buffer = 16384, .bytes_per_second = 8000000});
  REQUIRE(eventually([&] { return watched.acp.listed("readers") == 1; }));
  CHECK_EQ(watched.acp.call("burst", R"({"count":1000,"bytes":2000})").status, 200);
  CHECK(watched.oracle.all_reach(1002, milliseconds(10000)));
  CHECK_EQ(watched.oracle.verdict(false), std::vector<std::string>{});
}

TEST_CASE("a reader that barely reads holds the agent for its time only, then gets a gap and may not hold it again at once") {
  const auto limit = scaled(milliseconds(2500));
  const auto took = best_of_three(limit, [] {
    Watched watched({"--ring-messages", "100", "--reader-stall-ms", "10000", "--reader-hold-ms", "500"});
    const auto crawling = watched.oracle.add_reader({.server_id = "x", .receive_buffer = 4096, .bytes_per_second = 50000});
    REQUIRE(eventually([&] { return watched.acp.listed("readers") == 1; }));
    REQUIRE_EQ(watched.acp.call("big", R"({"bytes":4000000})").status, 200);
    const auto start = Clock::now();
    auto burst = watched.acp.begin_call("burst", R"({"count":20000,"bytes":200})");
    CHECK_EQ(burst.read_response(false, milliseconds(8000)).status, 200);
    const auto time = since(start);
    CHECK_GE(time, milliseconds(400));
    watched.oracle.slow_down(crawling, 0);
    CHECK(watched.oracle.all_reach(20003, milliseconds(5000)));
    CHECK_EQ(watched.oracle.verdict(true), std::vector<std::string>{});
    CHECK_EQ(watched.oracle.report(crawling).gaps.size(), 1);
    return time;
  });
  CHECK_LT(took, limit);
}

TEST_CASE("a fast reader beside a stalled one waits no longer than the stall time") {
  Watched watched({"--ring-messages", "200", "--reader-stall-ms", "3000"});
  const auto stalled = watched.oracle.add_reader({.server_id = "x", .receive_buffer = 4096});
  watched.oracle.pause(stalled);
  watched.oracle.add_readers(5, {.server_id = "x"});
  REQUIRE(eventually([&] { return watched.acp.listed("readers") == 6; }));
  const auto start = Clock::now();
  CHECK_EQ(watched.acp.call("burst", R"({"count":20000,"bytes":300})").status, 200);
  CHECK(watched.oracle.all_reach(20002, milliseconds(5000)));
  CHECK_LT(since(start), scaled(milliseconds(3000 + 3000)));
  CHECK_EQ(watched.oracle.verdict(false), std::vector<std::string>{});
  watched.oracle.resume(stalled);
  CHECK(watched.oracle.all_reach(20002, milliseconds(5000)));
  CHECK_EQ(watched.oracle.verdict(true), std::vector<std::string>{});
  CHECK_EQ(watched.oracle.report(stalled).gaps.size(), 1);
}

TEST_CASE("time in which the daemon itself did not run does not make a reader stalled") {
  Watched watched({"--ring-messages", "200", "--reader-stall-ms", "2500", "--reader-hold-ms", "60000"});
  const auto slow = watched.oracle.add_reader({.server_id = "x", .receive_buffer = 16384, .bytes_per_second = 400000});
  REQUIRE(eventually([&] { return watched.acp.listed("readers") == 1; }));
  auto burst = watched.acp.begin_call("burst", R"({"count":3000,"bytes":500})");
  for (int i = 0; i < 3; ++i) {
    const auto seen = watched.oracle.report(slow).events;
    REQUIRE(eventually([&] { return watched.oracle.report(slow).events > seen + 50; }));
    watched.daemon.process().signal(SIGSTOP);
    std::this_thread::sleep_for(milliseconds(3000));  // the frozen time is what is tested
    watched.daemon.process().signal(SIGCONT);
  }
  watched.oracle.slow_down(slow, 0);
  CHECK_EQ(burst.read_response().status, 200);
  CHECK_EQ(watched.oracle.verdict(false), std::vector<std::string>{});
}

TEST_CASE("while the agent is held its other clients are still served") {
  Watched watched(patient_and("--ring-messages", "100"));
  const auto slow = watched.oracle.add_reader({.server_id = "x", .receive_buffer = 4096, .bytes_per_second = 100000});
  REQUIRE(eventually([&] { return watched.acp.listed("readers") == 1; }));
  auto burst = watched.acp.begin_call("burst", R"({"count":1000,"bytes":1000})");
  const auto limit = scaled(milliseconds(200));
  for (int i = 0; i < 20; ++i) {
    const auto took = best_of_three(limit, [&] {
      const auto start = Clock::now();
      CHECK_EQ(watched.acp.get("/v1/health").status, 200);
      return since(start);
    });
    CHECK_LT(took, limit);
  }
  watched.oracle.slow_down(slow, 0);
  CHECK_EQ(burst.read_response().status, 200);
  CHECK_EQ(watched.oracle.verdict(false), std::vector<std::string>{});
}

TEST_SUITE_END();
