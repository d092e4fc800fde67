#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("sse");

TEST_CASE("a stream's headers come at once, before any event") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.notify("note").status, 202);
  auto stream = acp.stream();
  CHECK(stream.head().header("content-type").starts_with("text/event-stream"));
  CHECK_EQ(stream.head().header("cache-control"), "no-cache");
  CHECK_EQ(stream.head().header("x-accel-buffering"), "no");
  CHECK_NE(stream.head().header("acp-instance-id"), "");
  CHECK(stream.quiet_for(milliseconds(50)));
}

TEST_CASE("Accept, if present, must allow an event stream") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  for (const char* accept : {"text/event-stream", "*/*", "text/*", "application/json, text/event-stream;q=0.5"}) {
    INFO(accept);
    CHECK_EQ(acp.stream({{"Accept", accept}}).head().status, 200);
  }
  for (const char* accept : {"application/json", "text/html", "text/event-stream;q=0"}) {
    INFO(accept);
    CHECK_EQ(problem_of(acp.get(acp.target(), {{"Accept", accept}})), "406 not_acceptable");
  }
}

TEST_CASE("the stream of an unknown id is a 404 problem") {
  Daemon daemon;
  const auto response = Acp(daemon, "nobody").get("/v1/acp/nobody");
  CHECK_EQ(problem_of(response), "404 not_found");
  CHECK_EQ(text_at(response.body, "id"), "nobody");
  CHECK_NE(text_at(response.body, "resource"), "");
}

TEST_CASE("a stream asked for while the first POST creates its instance waits for the outcome") {
  Daemon daemon;
  for (int i = 0; i < 10; ++i) {
    Acp acp(daemon, "x" + std::to_string(i));
    Connection connection = acp.connect();
    auto first = acp.begin_call("slow", R"({"ms":30})");
    CHECK_EQ(acp.get("/v1/health").status, 200);
    connection.send(http_request("GET", acp.target(), {{"Authorization", "Bearer " + daemon.token()}}));
    SseStream stream(std::move(connection), 0);
    CHECK(stream.next().mentions("slow"));
    CHECK_EQ(first.read_response().status, 200);
  }
}

TEST_CASE("HEAD of a stream gives the headers and ends") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  Connection connection = acp.begin("HEAD", acp.target());
  const auto head = connection.read_response(true);
  CHECK_EQ(head.status, 200);
  CHECK(head.header("content-type").starts_with("text/event-stream"));
  CHECK_NE(head.header("acp-instance-id"), "");
  connection.send(http_request("GET", "/healthz"));
  CHECK_EQ(connection.read_response().body, "ok");
  CHECK_EQ(acp.listed("readers"), 0);
}

TEST_CASE("the bytes of an event are exactly those of the contract") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto answer = acp.call("echo", "[1]");
  acp.call("echo", "[2]");
  Connection connection = acp.begin("GET", acp.target());
  connection.read_head();
  std::string text;
  const std::string wanted = "event: message\nid: 1\ndata: " + answer.body + "\n\nevent: message\nid: 2\ndata: ";
  ChunkDecoder chunks;
  REQUIRE(eventually([&] {
    if (connection.buffered().empty()) connection.read_more();
    chunks.feed(connection.buffered(), [&](std::string_view piece) { text += piece; });
    connection.buffered().clear();
    return text.size() >= wanted.size();
  }));
  CHECK_EQ(text.substr(0, wanted.size()), wanted);
}

TEST_CASE("silence is filled with heartbeats") {
  Daemon daemon({"--heartbeat-ms", "100"});
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  const auto start = Clock::now();  // they come also while nobody looks
  auto stream = acp.stream();
  CHECK(stream.next_including_heartbeats().is_message());
  for (int i = 0; i < 3; ++i) CHECK_EQ(stream.next_including_heartbeats().kind, SseEvent::Kind::heartbeat);
  CHECK_GE(since(start), milliseconds(250));
  acp.call("echo");
  CHECK_EQ(stream.next().id, 2);
}

TEST_CASE("any number of readers get the same events") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  std::vector<SseStream> streams;
  for (int i = 0; i < 50; ++i) streams.push_back(acp.stream());
  REQUIRE(eventually([&] { return acp.listed("readers") == 50; }));
  const auto answer = acp.call("burst", R"({"count":100})");
  for (auto& stream : streams) CHECK_EQ(stream.until_id(102).data, answer.body);
  streams.clear();
  CHECK(eventually([&] { return acp.listed("readers") == 0; }));
}

TEST_CASE("streams of different instances have nothing to do with each other") {
  Daemon daemon;
  Acp one(daemon, "one");
  Acp two(daemon, "two");
  REQUIRE_EQ(one.call("burst", R"({"count":5})").status, 200);
  REQUIRE_EQ(two.call("echo").status, 200);
  auto stream = two.stream();
  CHECK(stream.next().mentions("echo"));
  CHECK(stream.quiet_for(milliseconds(50)));
  CHECK_NE(one.listing().at("instanceId").as_string(), two.listing().at("instanceId").as_string());
}

TEST_SUITE_END();
