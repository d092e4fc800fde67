#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("sse");

TEST_CASE("without Last-Event-ID the whole ring is replayed") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":100})").status, 200);
  auto stream = acp.stream();
  CHECK_EQ(stream.next().id, 1);
  CHECK_EQ(stream.until_id(101).id, 101);
  CHECK(stream.check().gaps().empty());
}

TEST_CASE("a blank Last-Event-ID is as none") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":3})").status, 200);
  CHECK_EQ(acp.stream({{"Last-Event-ID", ""}}).next().id, 1);
  CHECK_EQ(acp.stream({{"Last-Event-ID", "  "}}).next().id, 1);
  CHECK_EQ(acp.stream({{"Last-Event-ID", "0"}}).next().id, 1);
}

TEST_CASE("with Last-Event-ID the replay begins right after it") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":100})").status, 200);
  for (const std::uint64_t last : {1U, 50U, 100U}) CHECK_EQ(acp.stream_after(last).next().id, last + 1);
  auto stream = acp.stream_after(101);
  CHECK(stream.quiet_for(milliseconds(50)));
  acp.call("echo");
  CHECK_EQ(stream.next().id, 102);
}

TEST_CASE("a Last-Event-ID that is not an unsigned integer is a 400 problem") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  for (const char* id : {"abc", "-1", "1.5", "0x1", "1 2", "+1", "1e3"}) {
    INFO(id);
    CHECK_EQ(problem_of(acp.get(acp.target(), {{"Last-Event-ID", id}})), "400 invalid_request");
  }
}

TEST_CASE("a Last-Event-ID beyond the newest is an unknown position, then comes the whole ring") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":3})").status, 200);
  auto stream = acp.stream_after(500);
  const auto gap = stream.next();
  REQUIRE_EQ(gap.kind, SseEvent::Kind::gap);
  CHECK_EQ(parse_gap(gap.data).reason, "unknown_position");
  for (std::uint64_t id = 1; id <= 4; ++id) CHECK_EQ(stream.next().id, id);
}

TEST_CASE("the right Acp-Instance-Id changes nothing") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto response = acp.call("burst", R"({"count":3})");
  auto stream = acp.stream({{"Last-Event-ID", "2"}, {"Acp-Instance-Id", response.header("acp-instance-id")}});
  CHECK_EQ(stream.next().id, 3);
  CHECK(stream.check().gaps().empty());
}

TEST_CASE("after DELETE and re-creation a reader of the former instance is told, even if its number fits") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto former = acp.call("burst", R"({"count":3})").header("acp-instance-id");
  REQUIRE_EQ(acp.remove().status, 204);
  const auto now = acp.call("burst", R"({"count":10})").header("acp-instance-id");
  CHECK_NE(former, now);
  auto stream = acp.stream({{"Last-Event-ID", "3"}, {"Acp-Instance-Id", former}});
  const auto gap = stream.next();
  REQUIRE_EQ(gap.kind, SseEvent::Kind::gap);
  CHECK_EQ(parse_gap(gap.data).reason, "unknown_position");
  CHECK_EQ(stream.next().id, 1);
  CHECK_EQ(stream.until_id(11).id, 11);
}

TEST_CASE("replay and live are one path: joining in the middle of a burst loses and doubles nothing") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto burst = acp.begin_call("paced", R"({"count":3000,"rate":10000})");
  std::vector<SseStream> streams;
  for (int i = 0; i < 20; ++i) streams.push_back(acp.stream());
  CHECK_EQ(burst.read_response().status, 200);
  for (auto& stream : streams) CHECK_EQ(stream.until_id(3002).id, 3002);
}

TEST_CASE("a reader that reconnects again and again sees everything once") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto burst = acp.begin_call("paced", R"({"count":2000,"rate":10000})");
  std::uint64_t last = 0;
  while (last < 2002) {
    auto stream = acp.stream_after(last);
    for (int i = 0; i < 100 && last < 2002; ++i) {
      const auto event = stream.next();
      REQUIRE_EQ(event.id, last + 1);
      last = event.id;
    }
  }
  CHECK_EQ(burst.read_response().status, 200);
}

TEST_SUITE_END();
