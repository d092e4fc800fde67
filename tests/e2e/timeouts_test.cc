#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("http");

TEST_CASE("a head that does not come in time is a 408 problem and the connection ends") {
  Daemon daemon({"--head-timeout-ms", "200"});
  Connection connection(daemon.port());
  connection.send("GET /healthz HTTP/1.1\r\nHost: local");
  CHECK_EQ(problem_of(connection.read_response(false, milliseconds(3000))), "408 request_timeout");
  CHECK(connection.closed_within(milliseconds(2000)));
}

TEST_CASE("dribbling a head does not extend its time") {
  Daemon daemon({"--head-timeout-ms", "300"});
  const auto limit = scaled(milliseconds(2000));
  const auto took = best_of_three(limit, [&] {
    Connection connection(daemon.port());
    connection.send("GET /healthz HTTP/1.1\r\n");
    const auto start = Clock::now();
    CHECK(eventually([&] {
      connection.send("X: y\r\n");
      return connection.readable_unscaled(milliseconds(20));
    }));
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("the head time-out does not touch a waiting request or a stream") {
  Daemon daemon({"--head-timeout-ms", "1000"});
  Acp acp(daemon, "x");
  Connection waiting = acp.begin_call("never", "{}", "1");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  auto stream = acp.stream();
  CHECK(stream.quiet_for(milliseconds(1500)));
  acp.post(utterance("{\"id\":1,\"result\":\"late\"}\n"));
  CHECK_EQ(waiting.read_response().status, 200);
  CHECK(stream.next().mentions("late"));
}

TEST_SUITE_END();
