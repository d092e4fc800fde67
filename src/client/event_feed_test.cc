#include "client/event_feed.h"

#include <doctest/doctest.h>

#include "io/fetch_test_server.h"
#include "io/timer.h"

namespace sa {

using Kind = FeedItem::Kind;

namespace {

constexpr std::string_view stream_head =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\ncontent-length: 1000000\r\n\r\n";

// What a feed gives until it has ended or the time is over.
std::vector<FeedItem> items_within(Millis time, const FetchTestServer& server) {
  std::vector<FeedItem> items;
  Loop loop;
  Timer end(loop);
  end.arm_in(time, [&] { loop.stop(); });
  const EventFeed feed(loop, {"http://127.0.0.1:" + std::to_string(server.port()), ""},
                       {.server_id = "x", .include_client = true}, [&](FeedItem item) {
                         const bool is_last = item.kind == Kind::ended || item.kind == Kind::failed;
                         items.push_back(std::move(item));
                         if (is_last) loop.stop();
                       });
  loop.run();
  return items;
}

}  // namespace

TEST_CASE("a feed takes numbered messages, clients' messages and gaps, and nothing else") {
  const auto message = feed_item({"message", "7", "x"});
  REQUIRE(message);
  CHECK(message->kind == Kind::message);
  CHECK(message->number == 7);
  CHECK(message->data == "x");
  CHECK(feed_item({"client", "", "y"})->kind == Kind::client);
  CHECK(feed_item({"gap", "", "{}"})->kind == Kind::gap);
  CHECK(feed_item({"gap", "", R"({"from":3,"to":7})"})->number == 7);
  for (const char* gap : {"{}", R"({"from":7,"to":3})", R"({"reason":"unknown_position"})", R"({"clientMessages":2})", "x"})
    CHECK(feed_item({"gap", "", gap})->number == 0);
  for (const char* id : {"", "0", "x", "-1", "99999999999999999999"}) CHECK_FALSE(feed_item({"message", id, "x"}));
  CHECK_FALSE(feed_item({"other", "7", "x"}));
}

TEST_CASE("a gap tells how much is lost, unless its bounds make no sense") {
  CHECK(read_loss(R"({"from":3,"to":7})").agent_words().starts_with("5 messages"));
  for (const char* gap : {R"({"reason":"unknown_position"})", R"({"from":7,"to":3})", R"({"from":0,"to":3})", "no JSON", "[]",
                          R"({"from":-9223372036854775808,"to":9223372036854775807})", R"({"clientMessages":0})",
                          R"({"reason":"unknown_position","clientMessages":2})", R"({"from":7,"to":3,"clientMessages":2})"})
    CHECK(read_loss(gap).agent_words().starts_with("the daemon no longer knows"));
  CHECK(read_loss(R"({"from":1,"to":9223372036854775807})").agent_words().starts_with("9223372036854775807 messages"));
}

TEST_CASE("a gap of what clients said alone is no loss of the agent's words, and one of both is both") {
  const Loss of_clients = read_loss(R"({"clientMessages":2})");
  CHECK(of_clients.agent_words().empty());
  CHECK(of_clients.client_words() == "2 messages of clients are no longer kept");
  const Loss of_both = read_loss(R"({"from":3,"to":7,"clientMessages":2})");
  CHECK(of_both.agent_words().starts_with("5 messages of the agent"));
  CHECK(of_both.client_words() == "2 messages of clients are no longer kept");
  for (const char* gap : {R"({"from":3,"to":7})", R"({"reason":"unknown_position"})", R"({"clientMessages":-2})", "no JSON"})
    CHECK(read_loss(gap).client_words().empty());
}

TEST_CASE("a server that answers and cuts at once is asked more and more seldom, and that is said once") {
  const FetchTestServer server([](TestPeer& peer, const std::string&) { peer.write(stream_head); });
  const auto items = items_within(Millis(1'200), server);
  CHECK(server.heads().size() <= 6);  // pauses of 50, 100, 200, 400 and 800 ms
  REQUIRE(items.size() == 1);
  CHECK(items[0].kind == Kind::cut);
}

TEST_CASE("a server that answers and cuts for too long is given up") {
  const FetchTestServer server([](TestPeer& peer, const std::string&) { peer.write(stream_head); });
  const auto items = items_within(Millis(20'000), server);
  REQUIRE(items.size() == 2);
  CHECK(items[1].kind == Kind::failed);
  CHECK(items[1].failure.exit == Exit::unreachable);
}

TEST_CASE("a stream that goes on after a break says nothing twice") {
  const FetchTestServer server([](TestPeer& peer, const std::string& head) {
    if (head.find("Last-Event-ID: 4") == std::string::npos) {
      peer.write(std::string(stream_head) + "id: 1\nevent: message\ndata: one\n\nevent: client\ndata: before\n\n");
      peer.write("event: gap\ndata: {\"from\":2,\"to\":4}\n\nevent: client\ndata: a\n\nevent: client\ndata: b\n\n");
    } else {
      peer.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nevent: client\ndata: a\n\nevent: client\ndata: b\n\n");
      peer.write("event: client\ndata: a\n\nid: 5\nevent: message\ndata: five\n\n");
    }
  });
  std::string said;
  for (const FeedItem& item : items_within(Millis(20'000), server))
    said += item.kind == Kind::cut ? "cut " : item.kind == Kind::ended ? "ended" : item.data + " ";
  CHECK(said == R"(one before {"from":2,"to":4} a b cut a five ended)");
}

TEST_CASE("of clients' messages that come again others than those that were there are taken for new") {
  const FetchTestServer server([](TestPeer& peer, const std::string& head) {
    if (head.find("Last-Event-ID: 1") == std::string::npos) {
      peer.write(std::string(stream_head) + "id: 1\nevent: message\ndata: one\n\n");
      peer.write("event: client\ndata: forgotten\n\nevent: client\ndata: a\n\n");
    } else {
      peer.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nevent: client\ndata: a\n\nevent: client\ndata: b\n\n");
    }
  });
  std::string said;
  for (const FeedItem& item : items_within(Millis(20'000), server)) said += item.data + " ";
  CHECK(said == "one forgotten a  a b  ");
}

}  // namespace sa
