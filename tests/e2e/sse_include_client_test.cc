#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("sse");

TEST_CASE("an observer sees what clients sent, in its place and without a number") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto first = rpc_request("1", "echo", R"({ "raw" : 1e2 })");
  REQUIRE_EQ(acp.post(first).status, 200);
  REQUIRE_EQ(acp.notify("note", "[7]").status, 202);
  REQUIRE_EQ(acp.call("echo", "{}", "2").status, 200);
  auto stream = acp.stream({}, "include=client");
  auto event = stream.next();
  CHECK_EQ(event.kind, SseEvent::Kind::client);
  CHECK_EQ(event.data, first);
  event = stream.next();
  CHECK_EQ(event.kind, SseEvent::Kind::message);
  CHECK_EQ(event.id, 1);
  event = stream.next();
  CHECK_EQ(event.kind, SseEvent::Kind::client);
  CHECK_EQ(event.data, rpc_notification("note", "[7]"));
  CHECK_EQ(stream.next().kind, SseEvent::Kind::client);
  CHECK_EQ(stream.next().id, 2);
}

TEST_CASE("an observer sees client messages live") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.notify("first").status, 202);
  auto stream = acp.stream({}, "include=client");
  CHECK(stream.next().mentions("first"));
  REQUIRE_EQ(acp.notify("second").status, 202);
  CHECK(stream.next().mentions("second"));
  REQUIRE_EQ(acp.call("echo").status, 200);
  CHECK_EQ(stream.next().kind, SseEvent::Kind::client);
  CHECK_EQ(stream.next().id, 1);
}

TEST_CASE("by default nobody sees client messages") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.notify("note").status, 202);
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stream = acp.stream();
  CHECK_EQ(stream.next().id, 1);
  CHECK(stream.quiet_for(milliseconds(50)));
}

TEST_CASE("a client's pretty-printed message stays one data line for the observer") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.post("{\n\"method\":\r\n\"pretty\"\n}").status, 202);
  auto stream = acp.stream({}, "include=client");
  CHECK_EQ(text_at(stream.next().data, "method"), "pretty");
}

TEST_CASE("an observer that lost client messages is told how many") {
  Daemon daemon({"--ring-messages", "50"});
  Acp acp(daemon, "x");
  for (int i = 0; i < 200; ++i) REQUIRE_EQ(acp.notify("note").status, 202);
  REQUIRE_EQ(acp.call("burst", R"({"count":200})").status, 200);
  auto stream = acp.stream({}, "include=client");
  const auto event = stream.next();
  REQUIRE_EQ(event.kind, SseEvent::Kind::gap);
  INFO(event.data);
  CHECK_GT(parse_gap(event.data).client_messages, 0);
  CHECK_EQ(stream.until_id(201).id, 201);
  auto plain = acp.stream();
  CHECK_FALSE(plain.next().mentions("clientMessages"));
}

TEST_CASE("a message that was not forwarded is not shown as sent") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("ask", R"({"id":"q"})").status, 200);
  REQUIRE_EQ(acp.post(rpc_result("\"q\"", "1")).status, 202);
  REQUIRE_EQ(acp.post(rpc_result("\"q\"", "\"too late\"")).status, 202);
  REQUIRE_EQ(acp.call("echo", "{}", "\"end\"").status, 200);
  auto stream = acp.stream({}, "include=client");
  for (;;) {
    const auto event = stream.next();
    CHECK_FALSE(event.mentions("too late"));
    if (event.is_message() && event.mentions("end")) break;
  }
}

TEST_SUITE_END();
