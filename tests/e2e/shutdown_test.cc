#include <doctest/doctest.h>
#include <signal.h>

#include <thread>

#include "process_trees.h"

using namespace rig;

TEST_SUITE_BEGIN("trees");

TEST_CASE("a shutdown ends streams properly, with what the agent still said") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":100})").status, 200);
  auto stream = acp.stream();
  daemon.process().signal(SIGTERM);
  CHECK(stream.ends_within(milliseconds(3000)));
  CHECK_GE(stream.check().last_id(), 101);
}

TEST_CASE("a shutdown answers waiting requests") {
  Daemon daemon;
  Acp acp(daemon, "x");
  auto waiting = acp.begin_call("never");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  daemon.process().signal(SIGTERM);
  CHECK_GE(waiting.read_response().status, 500);
}

TEST_CASE("a shutdown stops accepting at once") {
  Daemon daemon({"--stop-grace-ms", "600"});
  Acp acp(daemon, "x");
  REQUIRE(grow_tree(acp, "ignores_term"));
  daemon.process().signal(SIGTERM);
  const auto refuses = [&] {
    try {
      Connection connection(daemon.port());
      connection.send(http_request("GET", "/healthz"));
      return connection.closed_within(milliseconds(50)) && connection.buffered().empty();
    } catch (const std::runtime_error&) {
      return true;
    }
  };
  CHECK(eventually(refuses, milliseconds(500)));
}

TEST_CASE("an idle connection does not delay a shutdown") {
  Daemon daemon;
  Connection idle(daemon.port());
  Connection half(daemon.port());
  half.send("GET /healthz HTT");
  const auto start = Clock::now();
  daemon.stop(SIGTERM);
  CHECK_LT(since(start), scaled(milliseconds(1000)));
}

TEST_CASE("a second signal during a shutdown does no harm") {
  Daemon daemon({"--stop-grace-ms", "500"});
  Acp acp(daemon, "x");
  REQUIRE(grow_tree(acp, "ignores_term"));
  daemon.process().signal(SIGTERM);
  daemon.process().signal(SIGTERM);
  daemon.stop(SIGINT);
}

TEST_CASE("a reader that keeps reading gets the rest of its stream before a shutdown ends it") {
  Daemon daemon({"--ring-bytes", "40000000", "--ring-messages", "100000"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":24000,"bytes":1000})").status, 200);
  auto reading = acp.begin("GET", acp.target());
  REQUIRE(eventually([&] { return acp.listed("readers") == 1; }));
  daemon.process().signal(SIGTERM);
  constexpr std::size_t piece = 200'000;  // every 10 ms: the whole takes about 1.3 s
  std::string all;
  for (bool more = true; more;) {
    for (const std::size_t until = all.size() + piece; more && all.size() < until;) {
      more = reading.read_more();
      all += std::exchange(reading.buffered(), "");
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  CHECK_GT(all.size(), 24'000'000);
  CHECK_NE(all.find("_adapter/agent_exited"), std::string::npos);
  CHECK(all.ends_with("\r\n0\r\n\r\n"));
  daemon.stop(SIGTERM);
}

TEST_CASE("a reader that reads on and on cannot delay a shutdown beyond grace + 1 s") {
  Daemon daemon({"--stop-grace-ms", "300", "--ring-bytes", "40000000", "--ring-messages", "100000"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":24000,"bytes":1000})").status, 200);
  auto reading = acp.begin("GET", acp.target());
  REQUIRE(eventually([&] { return acp.listed("readers") == 1; }));
  std::jthread reader([&] {
    while (reading.read_more()) {  // some 16 KiB every 5 ms: the whole would take 7 s
      reading.buffered().clear();
      std::this_thread::sleep_for(milliseconds(5));
    }
  });
  daemon.stop(SIGTERM);
}

TEST_CASE("a reader that does not read cannot delay a shutdown") {
  Daemon daemon({"--stop-grace-ms", "300"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stuck = acp.narrow_stream();
  REQUIRE_EQ(acp.call("burst", R"({"count":5000,"bytes":1000})").status, 200);
  daemon.stop(SIGTERM);
}

TEST_SUITE_END();
