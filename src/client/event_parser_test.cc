#include "client/event_parser.h"

#include <doctest/doctest.h>

#include <vector>

namespace sa {
namespace {

struct Taken {
  std::string event, id, data;
  bool operator==(const Taken&) const = default;
};

std::vector<Taken> parse(std::string_view body, std::size_t piece) {
  std::vector<Taken> all;
  EventParser parser;
  for (; !body.empty(); body.remove_prefix(std::min(piece, body.size())))
    parser.feed(body.substr(0, piece), [&](const ServerEvent& event) {
      all.push_back({std::string(event.event), std::string(event.id), std::string(event.data)});
    });
  return all;
}

}  // namespace

TEST_CASE("events are the same however their bytes are split") {
  const std::string body =
      ": heartbeat\n\nevent: message\nid: 1\ndata: {\"a\":1}\n\nevent: gap\ndata: {\"from\":2,\"to\":3}\n\n"
      "event: client\r\ndata:one\r\ndata: two\r\n\r\nid: 9\n\ndata\n\nevent: message\nid: 4\ndata: unfinished\n";
  const std::vector<Taken> expected{
      {"message", "1", "{\"a\":1}"}, {"gap", "1", "{\"from\":2,\"to\":3}"}, {"client", "1", "one\ntwo"}, {"message", "9", ""}};
  for (std::size_t piece = 1; piece < 40; ++piece) {
    CAPTURE(piece);
    CHECK(parse(body, piece) == expected);
  }
}

TEST_CASE("an event is half read from its first byte until the blank line behind it") {
  EventParser parser;
  const auto take = [](const ServerEvent&) {};
  for (const std::string_view body : {"data: a\n\n", "event: gap\ndata: b\r\n\r\n", ": heartbeat\n\n"}) {
    CHECK_FALSE(parser.is_mid_event());
    parser.feed(body.substr(0, 6), take);
    CHECK(parser.is_mid_event());
    parser.feed(body.substr(6), take);
  }
  CHECK_FALSE(parser.is_mid_event());
}

TEST_CASE("after a reset nothing of the former body is left") {
  EventParser parser;
  std::vector<std::string> data;
  const auto take = [&](const ServerEvent& event) { data.emplace_back(event.data); };
  parser.feed("event: gap\nid: 7\ndata: half", take);
  parser.reset();
  parser.feed("data: whole\n\n", take);
  CHECK(data == std::vector<std::string>{"whole"});
}

}  // namespace sa
