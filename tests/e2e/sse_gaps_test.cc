#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

Gap next_gap(SseStream& stream) {
  const auto event = stream.next();
  REQUIRE_EQ(event.kind, SseEvent::Kind::gap);
  return parse_gap(event.data);
}

}  // namespace

TEST_SUITE_BEGIN("sse");

TEST_CASE("a ring bounded by count keeps the newest, and a reader without position is told what is gone") {
  Daemon daemon({"--ring-messages", "100"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":999})").status, 200);
  auto stream = acp.stream();
  const auto event = stream.next();
  REQUIRE_EQ(event.kind, SseEvent::Kind::gap);
  CHECK_EQ(event.data, R"({"from":1,"to":900})");
  CHECK_EQ(stream.next().id, 901);
  CHECK_EQ(stream.until_id(1000).id, 1000);
  CHECK_EQ(stream.check().gaps().size(), 1);
}

TEST_CASE("a reader whose position fell off the ring gets the exact bounds") {
  Daemon daemon({"--ring-messages", "100"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":999})").status, 200);
  auto behind = acp.stream_after(300);
  const auto gap = next_gap(behind);
  CHECK_EQ(gap.from, 301);
  CHECK_EQ(gap.to, 900);
  CHECK_EQ(behind.next().id, 901);
  auto at_the_edge = acp.stream_after(900);
  CHECK_EQ(at_the_edge.next().id, 901);
  auto just_lost = acp.stream_after(899);
  CHECK_EQ(next_gap(just_lost).from, 900);
}

TEST_CASE("a ring bounded by bytes keeps no more than that") {
  Daemon daemon({"--ring-bytes", "100000"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":1000,"bytes":1000})").status, 200);
  auto stream = acp.stream();
  const auto gap = next_gap(stream);
  CHECK_EQ(gap.from, 1);
  const auto kept = 1001 - gap.to;
  CHECK_LE(kept, 101);
  CHECK_GE(kept, 50);
  CHECK_EQ(stream.next().id, gap.to + 1);
}

TEST_CASE("the newest event is always kept, whatever its size") {
  Daemon daemon({"--ring-bytes", "10000"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  const auto response = acp.call("big", R"({"bytes":1000000})");
  REQUIRE_EQ(response.status, 200);
  auto stream = acp.stream();
  CHECK_EQ(next_gap(stream), Gap{.from = 1, .to = 1, .reason = "", .client_messages = 0, .has_bounds = true});
  CHECK_EQ(stream.next().data, response.body);
}

TEST_CASE("all rings together are bounded, and the largest loses first") {
  Daemon daemon({"--total-ring-bytes", "300000"});
  Acp small(daemon, "small");
  Acp large(daemon, "large");
  REQUIRE_EQ(small.call("burst", R"({"count":40,"bytes":1000})").status, 200);
  REQUIRE_EQ(large.call("burst", R"({"count":2000,"bytes":1000})").status, 200);
  auto of_small = small.stream();
  CHECK_EQ(of_small.next().id, 1);
  auto of_large = large.stream();
  const auto gap = next_gap(of_large);
  CHECK_EQ(gap.from, 1);
  CHECK_GE(gap.to, 1700);
  CHECK_EQ(of_large.next().id, gap.to + 1);
}

TEST_CASE("a client's message larger than all rings together pushes no agent's message out, and its loss is said") {
  Daemon daemon({"--total-ring-bytes", "1000000"});
  Acp asked(daemon, "asked");
  Acp busy(daemon, "busy");
  REQUIRE_EQ(asked.call("echo").status, 200);
  REQUIRE_EQ(busy.call("echo").status, 200);
  REQUIRE_EQ(asked.notify("note", '"' + std::string(1'200'000, 'n') + '"').status, 202);
  auto live = busy.stream();
  REQUIRE_EQ(busy.call("burst", R"({"count":200})").status, 200);
  CHECK_EQ(live.until_id(202).id, 202);
  CHECK(live.check().gaps().empty());
  auto observer = asked.stream({}, "include=client");
  CHECK_EQ(next_gap(observer).client_messages, 2);
  CHECK_EQ(observer.next().id, 1);
}

TEST_CASE("the ring of an exited instance is dropped after its time") {
  Daemon daemon({"--exited-ring-ms", "200"});
  Acp acp(daemon, "x");
  acp.call("crash", R"({"updates":50})");
  CHECK(eventually([&] { return acp.stream().next().kind == SseEvent::Kind::gap; }, milliseconds(5000)));
  CHECK_EQ(acp.listing().at("status").as_string(), "exited");
  auto late = acp.stream();
  CHECK_EQ(next_gap(late).to, 50);
  CHECK(late.next().mentions("_adapter/agent_exited"));
}

TEST_CASE("a stalled reader is left behind, nobody waits for it longer than its time, and it gets one gap") {
  const auto limit = scaled(milliseconds(1500));
  const auto took = best_of_three(limit, [] {
    Daemon daemon({"--ring-messages", "500", "--reader-stall-ms", "200"});
    Acp acp(daemon, "x");
    REQUIRE_EQ(acp.call("echo").status, 200);
    auto stalled = acp.narrow_stream();
    REQUIRE(eventually([&] { return acp.listed("readers") == 1; }));
    const auto start = Clock::now();
    REQUIRE_EQ(acp.call("burst", R"({"count":20000,"bytes":500})").status, 200);
    const auto time = since(start);
    CHECK_EQ(stalled.until_id(20002).id, 20002);
    CHECK_EQ(stalled.check().gaps().size(), 1);
    return time;
  });
  CHECK_LT(took, limit);
}

TEST_CASE("an event half written to a stalled reader stays until it is written") {
  Daemon daemon({"--ring-messages", "50", "--reader-stall-ms", "100"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stalled = acp.narrow_stream();
  const auto big = acp.call("big", R"({"bytes":8000000})");
  REQUIRE_EQ(acp.call("burst", R"({"count":2000})").status, 200);
  CHECK_EQ(stalled.next().id, 1);
  const auto event = stalled.next(milliseconds(30'000));  // many small pieces
  CHECK_EQ(event.id, 2);
  CHECK_EQ(event.data, big.body);
  const auto gap = next_gap(stalled);
  CHECK_EQ(gap.from, 3);
  CHECK_EQ(stalled.until_id(2003).id, 2003);
}

TEST_CASE("a reader that takes no bytes while bytes wait for it is disconnected, an idle one is not") {
  Daemon daemon({"--reader-timeout-ms", "2000", "--reader-stall-ms", "100", "--heartbeat-ms", "60000"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stuck = acp.narrow_stream();
  REQUIRE(eventually([&] { return acp.listed("readers") == 1; }));
  const auto big = acp.begin_call("big", R"({"bytes":4000000})");
  REQUIRE(eventually([&] { return acp.listed("lastEventId") == 2; }));
  auto idle = acp.stream_after(2);
  CHECK(eventually([&] { return acp.listed("readers") == 1; }, milliseconds(8000)));
  CHECK(idle.quiet_for(milliseconds(2500)));
  CHECK_EQ(acp.listed("readers"), 1);
}

TEST_SUITE_END();
