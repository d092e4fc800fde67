#include "client/event_feed.h"

#include <doctest/doctest.h>

namespace sa {

using Kind = FeedItem::Kind;

TEST_CASE("a feed takes numbered messages, clients' messages and gaps, and nothing else") {
  const auto message = feed_item({"message", "7", "x"});
  REQUIRE(message);
  CHECK(message->kind == Kind::message);
  CHECK(message->number == 7);
  CHECK(message->data == "x");
  CHECK(feed_item({"client", "", "y"})->kind == Kind::client);
  CHECK(feed_item({"gap", "", "{}"})->kind == Kind::gap);
  for (const char* id : {"", "0", "x", "-1", "99999999999999999999"}) CHECK_FALSE(feed_item({"message", id, "x"}));
  CHECK_FALSE(feed_item({"other", "7", "x"}));
}

TEST_CASE("a gap tells how much is lost, unless its bounds make no sense") {
  CHECK(lost_words(R"({"from":3,"to":7})").starts_with("5 messages"));
  for (const char* gap : {R"({"reason":"unknown_position"})", R"({"from":7,"to":3})", R"({"from":0,"to":3})", "no JSON", "[]",
                          R"({"from":-9223372036854775808,"to":9223372036854775807})"})
    CHECK(lost_words(gap).starts_with("the daemon no longer knows"));
  CHECK(lost_words(R"({"from":1,"to":9223372036854775807})").starts_with("9223372036854775807 messages"));
}

}  // namespace sa
