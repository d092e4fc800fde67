#include "cli/instance_feed.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>

#include "io/fetch_test_server.h"

namespace sa {
namespace {

constexpr std::string_view stream_head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

std::string message(int number) { return fmt::format("event: message\nid: {0}\ndata: {0}\n\n", number); }
std::string of_client(std::string_view words) { return fmt::format("event: client\ndata: {}\n\n", words); }
std::string gap(std::string_view words) { return fmt::format("event: gap\ndata: {}\n\n", words); }

void wait_for(Millis time) { std::this_thread::sleep_for(time); }

// Whether the client has left.
bool has_left(const TestPeer& peer) {
  char byte = 0;
  return ::recv(peer.socket(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 0;
}

// What is kept of an instance whose newest message had this number, as its messages' own words.
std::string kept_of(const FetchTestServer& server, std::uint64_t newest) {
  std::string said;
  ServerDocument instance;
  instance.server_id = "x";
  instance.last_event_id = newest;
  const auto exit =
      read_instance({"http://127.0.0.1:" + std::to_string(server.port()), ""}, instance, ReadUntil::caught_up,
                    [&said](const FeedItem& item) { return said += (said.empty() ? "" : " ") + item.data, true; });
  CHECK(exit == Exit::success);
  return said;
}

// Says `first` at once and then `more`, again and again, until the client leaves. Tells how often, at most `most` times.
struct BusyServer {
  static constexpr int most = 500;
  static constexpr Millis step{30};

  explicit BusyServer(std::string first, std::function<std::string(int)> more, Millis answers_after = Millis(0))
      : server([this, first = std::move(first), more = std::move(more), answers_after](TestPeer& peer, const std::string&) {
          wait_for(answers_after);
          peer.write(std::string(stream_head) + first);
          for (; times < most && !has_left(peer); ++times) {
            peer.write(more(times));
            wait_for(step);
          }
        }) {}

  std::atomic<int> times = 0;
  FetchTestServer server;
};

}  // namespace

TEST_CASE("what is kept now ends where what came later begins, however busy the agent is") {
  const auto goes_on = [](int time) { return message(4 + time); };
  const BusyServer busy(message(1) + of_client("a") + message(2) + of_client("b") + message(3) + of_client("c"), goes_on);
  CHECK(kept_of(busy.server, 2) == "1 a 2 b");
  CHECK(busy.times < BusyServer::most);
}

TEST_CASE("of an instance that had said nothing what clients said to it is kept") {
  const BusyServer busy(of_client("a") + message(1), [](int time) { return message(2 + time); });
  CHECK(kept_of(busy.server, 0) == "a");
  CHECK(busy.times < BusyServer::most);
}

TEST_CASE("a gap that reaches beyond what was the newest message is told, and nothing behind it is waited for") {
  const BusyServer busy(message(1) + gap(R"({"from":2,"to":9})") + message(10), [](int time) { return message(11 + time); });
  CHECK(kept_of(busy.server, 5) == R"(1 {"from":2,"to":9})");
  CHECK(busy.times < BusyServer::most);
}

TEST_CASE("of another instance that has the place by now nothing is taken") {
  const BusyServer busy(gap(R"({"reason":"unknown_position"})") + message(1), [](int) { return ": heartbeat\n\n"; });
  CHECK(kept_of(busy.server, 500) == R"({"reason":"unknown_position"})");
  CHECK(busy.times < BusyServer::most);
}

TEST_CASE("heartbeats keep nobody waiting, also where the answer was long in coming") {
  const BusyServer busy(of_client("a"), [](int) { return ": heartbeat\n\n"; }, Millis(300));
  CHECK(kept_of(busy.server, 0) == "a");
  CHECK(busy.times < BusyServer::most);
}

TEST_CASE("clients that go on talking to a silent agent keep nobody waiting for ever") {
  const BusyServer busy(message(1), [](int) { return of_client("a"); });
  CHECK(kept_of(busy.server, 1).starts_with("1 a a"));
  CHECK(busy.times < BusyServer::most);
}

}  // namespace sa
