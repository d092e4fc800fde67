#include "mock_agent/surrogates.h"

#include <doctest/doctest.h>

#include "mock_agent/rpc.h"

namespace sa::mock {

TEST_CASE("only unpaired surrogate escapes are replaced") {
  CHECK(replace_lone_surrogates(R"("\ud83d\ude00 \u00e9")") == R"("\ud83d\ude00 \u00e9")");
  CHECK(replace_lone_surrogates(R"("\ud83d")") == R"("\uFFFD")");
  CHECK(replace_lone_surrogates(R"("\ude00\uD83D")") == R"("\uFFFD\uFFFD")");
  CHECK(replace_lone_surrogates(R"("\ud83d\ud83d\ude00")") == R"("\uFFFD\ud83d\ude00")");
}

TEST_CASE("an escaped backslash does not start an escape") {
  CHECK(replace_lone_surrogates(R"("\\ud83d \\\ud83d")") == R"("\\ud83d \\\uFFFD")");
}

TEST_CASE("text that ends inside an escape is left alone") {
  for (const char* text : {"\\", "\\u", "\\ud83", "\\ud83d\\", "\\ud8zz"}) {
    CAPTURE(text);
    CHECK(replace_lone_surrogates(text).size() == std::string_view(text).size());
  }
}

TEST_CASE("a message with half an emoji is understood") {
  const auto message = parse_message(R"({"method":"m","params":{"text":"a\ud83d!"}})");
  REQUIRE(message);
  CHECK(string_member(std::get<Notification>(*message).params, "text") == "a\uFFFD!");
}

}  // namespace sa::mock
