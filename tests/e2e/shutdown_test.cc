#include <doctest/doctest.h>
#include <signal.h>

#include <thread>

#include "process_trees.h"

using namespace rig;

namespace {

// What a reader gets that takes 200 KB every 10 ms from the signal on, the whole in about 1.3 s; and whether it kept reading.
struct RestOfStream {
  std::string text;
  milliseconds longest_pause{};  // between two of its reads
  milliseconds took{};

  bool ended_properly() const { return text.ends_with("\r\n0\r\n\r\n"); }
  bool kept_reading() const { return longest_pause <= milliseconds(250) && took <= milliseconds(1800); }
};

RestOfStream read_on_through_a_shutdown() {
  Daemon daemon({"--ring-bytes", "40000000", "--ring-messages", "100000"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":24000,"bytes":1000})").status, 200);
  auto reading = acp.begin("GET", acp.target());
  REQUIRE(eventually([&] { return acp.listed("readers") == 1; }));
  constexpr std::size_t piece = 200'000;
  RestOfStream rest;
  const auto start = Clock::now();
  auto last_read = start;
  daemon.process().signal(SIGTERM);
  for (bool more = true; more;) {
    for (const std::size_t until = rest.text.size() + piece; more && rest.text.size() < until;) {
      rest.longest_pause = std::max(rest.longest_pause, since(last_read));
      last_read = Clock::now();
      more = reading.read_more();
      rest.text += std::exchange(reading.buffered(), "");
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  rest.took = since(start);
  daemon.stop(SIGTERM);
  return rest;
}

}  // namespace

TEST_SUITE_BEGIN("trees");

TEST_CASE("a shutdown ends streams properly, with what the agent still said") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":100})").status, 200);
  auto stream = acp.stream();
  daemon.process().signal(SIGTERM);
  CHECK(stream.ends_within());
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
  const auto limit = scaled(milliseconds(500));
  const auto took = best_of_three(limit, [] {
    Daemon daemon({"--stop-grace-ms", "600"});
    Acp acp(daemon, "x");
    REQUIRE(grow_tree(acp, "ignores_term"));
    const auto start = Clock::now();
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
    CHECK(eventually(refuses));
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("an idle connection does not delay a shutdown") {
  const auto limit = scaled(milliseconds(1000));
  const auto took = best_of_three(limit, [] {
    Daemon daemon;
    Connection idle(daemon.port());
    Connection half(daemon.port());
    half.send("GET /healthz HTT");
    const auto start = Clock::now();
    daemon.stop(SIGTERM);
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("a second signal during a shutdown does no harm") {
  Daemon daemon({"--stop-grace-ms", "500"});
  Acp acp(daemon, "x");
  REQUIRE(grow_tree(acp, "ignores_term"));
  daemon.process().signal(SIGTERM);
  daemon.process().signal(SIGTERM);
  daemon.stop(SIGINT);
}

TEST_CASE("signals that come together are one: the agents have their grace") {
  Daemon daemon({"--stop-grace-ms", "20000"});
  Acp acp(daemon, "x");
  const auto note = daemon.home() / "ended-well";
  REQUIRE_EQ(acp.call("end_slowly", R"({"ms":300,"note":")" + note.string() + "\"}").status, 200);
  for (const int number : {SIGSTOP, SIGINT, SIGTERM}) daemon.process().signal(number);
  daemon.stop(SIGCONT);
  CHECK(std::filesystem::exists(note));
}

TEST_CASE("a signal a second after the first ends the agents' grace") {
  Daemon daemon({"--stop-grace-ms", "60000"});
  Acp acp(daemon, "x");
  REQUIRE(grow_tree(acp, "ignores_term"));
  const auto ends = [&] {
    daemon.process().signal(SIGTERM);
    return daemon.process().wait(milliseconds(50)).has_value();
  };
  CHECK(eventually(ends, milliseconds(15'000)));
  daemon.stop(SIGTERM);
}

TEST_CASE("a reader that keeps reading gets the rest of its stream before a shutdown ends it") {
  auto rest = read_on_through_a_shutdown();
  for (int again = 0; !rest.ended_properly() && !rest.kept_reading() && again < 2; ++again)
    rest = read_on_through_a_shutdown();  // others use the machine too, and who does not read is cut off
  INFO("longest pause ", rest.longest_pause.count(), " ms, all in ", rest.took.count(), " ms");
  CHECK_GT(rest.text.size(), 24'000'000);
  CHECK_NE(rest.text.find("_adapter/agent_exited"), std::string::npos);
  CHECK(rest.ended_properly());
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
