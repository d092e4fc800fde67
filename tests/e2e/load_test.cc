// What must hold with default limits. The oracle compares every event of every reader with what the agent said.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "support/acp.h"
#include "support/oracle.h"

using namespace rig;

namespace {

using Words = std::vector<std::string>;

const Words nothing_wrong;

struct Watched {
  Daemon daemon;
  Acp acp;
  Oracle oracle;

  explicit Watched(std::vector<std::string> flags = {}) : daemon(std::move(flags)), acp(daemon, "x"), oracle(daemon) {
    const auto instance = acp.call("echo").header("acp-instance-id");
    oracle.know_agent(instance, acp.pid());
  }
  bool readers_joined(std::int64_t count) {
    return eventually([&] { return acp.listed("readers") == count; });
  }
};

// Whether this process, and so its readers, stood still for long.
class Standstill {
 public:
  bool was_long() const { return longest_.load() > milliseconds(1000); }

 private:
  void look(const std::stop_token& stop) {
    for (auto last = Clock::now(); !stop.stop_requested(); last = Clock::now()) {
      std::this_thread::sleep_for(milliseconds(10));
      longest_ = std::max(longest_.load(), since(last));
    }
  }

  std::atomic<milliseconds> longest_ = milliseconds(0);
  std::jthread thread_{[this](const std::stop_token& stop) { look(stop); }};
};

// Plays what says what is wrong. A reader that stands still for two seconds is left behind, as it should be: when ours did, it
// is played again.
void expect_nothing_wrong(const std::function<Words()>& play) {
  Words wrong;
  for (int played = 0; played < 3; ++played) {
    const Standstill standstill;
    wrong = play();
    if (wrong.empty() || !standstill.was_long()) break;
  }
  CHECK_EQ(wrong, nothing_wrong);
}

void burst_to(std::size_t readers) {
  expect_nothing_wrong([&] {
    Watched watched;
    watched.oracle.add_readers(readers, {.server_id = "x"});
    REQUIRE(watched.readers_joined(static_cast<std::int64_t>(readers)));
    auto burst = watched.acp.begin_call("burst", R"({"count":100000,"bytes":200})");
    CHECK_EQ(burst.read_response(false, milliseconds(30000)).status, 200);
    CHECK(watched.oracle.all_reach(100002, milliseconds(10000)));
    auto wrong = watched.oracle.verdict(false);
    for (const auto& report : watched.oracle.reports())
      if (report.events != 100002) wrong.push_back("a reader has " + std::to_string(report.events) + " events");
    return wrong;
  });
}

}  // namespace

TEST_SUITE_BEGIN("load");

TEST_CASE("100,000 notifications of 200 B burst to one reader: all of them, in order, no gap") { burst_to(1); }

TEST_CASE("100,000 notifications of 200 B burst to 50 readers: all of them, in order, no gap") { burst_to(50); }

TEST_CASE("a stalled reader beside them gets exactly one gap and nobody waits for it longer than two seconds") {
  expect_nothing_wrong([] {
    Watched watched;
    const auto stalled = watched.oracle.add_reader({.server_id = "x", .receive_buffer = 16384});
    watched.oracle.pause(stalled);
    watched.oracle.add_readers(10, {.server_id = "x"});
    REQUIRE(watched.readers_joined(11));
    const auto start = Clock::now();
    auto burst = watched.acp.begin_call("burst", R"({"count":100000,"bytes":200})");
    CHECK_EQ(burst.read_response(false, milliseconds(30000)).status, 200);
    CHECK(watched.oracle.all_reach(100002, milliseconds(10000)));
    const auto took = since(start);
    auto wrong = watched.oracle.verdict(false);
    if (took >= milliseconds(2000) + scaled(milliseconds(3000)))
      wrong.push_back("it took " + std::to_string(took.count()) + " ms");
    watched.oracle.resume(stalled);
    CHECK(watched.oracle.all_reach(100002, milliseconds(10000)));
    CHECK_EQ(watched.oracle.verdict(true), nothing_wrong);
    const auto report = watched.oracle.report(stalled);
    std::string gaps;
    for (const auto& gap : report.gaps) gaps += std::to_string(gap.from) + " to " + std::to_string(gap.to) + ", ";
    CHECK_MESSAGE(report.gaps.size() == 1, gaps);
    return wrong;
  });
}

TEST_CASE("50 reconnects with Last-Event-ID at 20,000 events a second: no hole, no duplicate") {
  expect_nothing_wrong([] {
    Watched watched;
    const auto restless = watched.oracle.add_reader({.server_id = "x", .cuts = 50, .cut_after_events = 1000});
    watched.oracle.add_reader({.server_id = "x"});
    REQUIRE(watched.readers_joined(2));
    auto series = watched.acp.begin_call("paced", R"({"count":60000,"rate":20000})");
    CHECK_EQ(series.read_response(false, milliseconds(20000)).status, 200);
    CHECK(watched.oracle.all_reach(60002, milliseconds(10000)));
    auto wrong = watched.oracle.verdict(false);
    const auto report = watched.oracle.report(restless);
    if (wrong.empty()) CHECK_EQ(report.connections, 51);
    if (wrong.empty()) CHECK_EQ(report.events, 60002);
    return wrong;
  });
}

TEST_CASE("reconnecting against an unpaced agent: any loss is an exact gap") {
  Watched watched({"--ring-messages", "1000"});
  std::vector<Oracle::Reader> restless;
  for (int i = 0; i < 10; ++i) {
    restless.push_back(watched.oracle.add_reader({.server_id = "x", .cuts = 50, .cut_after_events = 300}));
  }
  REQUIRE(watched.readers_joined(10));
  auto burst = watched.acp.begin_call("burst", R"({"count":100000,"bytes":200})");
  CHECK_EQ(burst.read_response(false, milliseconds(30000)).status, 200);
  CHECK(watched.oracle.all_reach(100002, milliseconds(10000)));
  CHECK_EQ(watched.oracle.verdict(true), nothing_wrong);
  for (const auto reader : restless) {
    const auto report = watched.oracle.report(reader);
    std::uint64_t lost = 0;
    for (const auto& gap : report.gaps) lost += gap.to - gap.from + 1;
    CHECK_EQ(report.events + lost, 100002);
    CHECK_EQ(report.connections, 51);
  }
}

TEST_CASE("20 agents talk to 200 readers at once and nobody gets a word of another") {
  Daemon daemon;
  Oracle oracle(daemon);
  std::vector<Acp> agents;
  for (int i = 0; i < 20; ++i) {
    const auto id = "agent " + std::to_string(i);
    agents.emplace_back(daemon, id);
    oracle.know_agent(agents.back().call("echo").header("acp-instance-id"), agents.back().pid());
    oracle.add_readers(10, {.server_id = id});
  }
  std::vector<Connection> bursts;
  for (auto& agent : agents) bursts.push_back(agent.begin_call("burst", R"({"count":2000,"bytes":300})"));
  for (auto& burst : bursts) CHECK_EQ(burst.read_response(false, milliseconds(20000)).status, 200);
  CHECK(oracle.all_reach(2002, milliseconds(10000)));
  CHECK_EQ(oracle.verdict(false), nothing_wrong);
  for (auto& agent : agents) CHECK_EQ(agent.remove().status, 204);
  CHECK_EQ(oracle.survivors(), 0);
}

TEST_CASE("a full ring of stalled readers costs no memory beyond the ring") {
  Watched watched;
  const auto before = watched.daemon.resident_kib();
  for (int i = 0; i < 200; ++i) {
    watched.oracle.pause(watched.oracle.add_reader({.server_id = "x", .receive_buffer = 4096}));
  }
  auto burst = watched.acp.begin_call("burst", R"({"count":60000,"bytes":1000})");
  CHECK_EQ(burst.read_response(false, milliseconds(30000)).status, 200);
  const auto limit_kib = 48 * 1024 * scaled(milliseconds(1)).count();  // a sanitizer keeps freed memory for a while
  CHECK_LT(watched.daemon.resident_kib() - before, limit_kib);
}

TEST_CASE("16 MiB reach many readers") {
  Watched watched;
  watched.oracle.add_readers(10, {.server_id = "x"});
  REQUIRE(watched.readers_joined(10));
  auto big = watched.acp.begin_call("big", R"({"bytes":16777216})");
  CHECK_GT(big.read_response(false, milliseconds(20000)).body.size(), 16777216);
  CHECK(watched.oracle.all_reach(2, milliseconds(10000)));
  CHECK_EQ(watched.oracle.verdict(false), nothing_wrong);
}

TEST_SUITE_END();
