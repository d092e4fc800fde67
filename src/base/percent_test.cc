#include "base/percent.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("percent escapes are decoded in either case, everything else stays") {
  CHECK(percent_decode("a%2Fb%2fc%20d") == "a/b/c d");
  CHECK(percent_decode("%C3%a9") == "é");
  CHECK(percent_decode("%00x") == std::string("\0x", 2));
  CHECK(percent_decode("%2541") == "%41");
  CHECK(percent_decode("a/b?c=d") == "a/b?c=d");
  CHECK(percent_decode("") == "");
}

TEST_CASE("a plus is a blank in a query and a plus in a path") {
  CHECK(percent_decode("a+b%2B", true) == "a b+");
  CHECK(percent_decode("a+b%2B") == "a+b+");
}

TEST_CASE("an escape without two hex digits is malformed") {
  for (const char* text : {"%", "a%", "%4", "a%4", "%G0", "%0G", "%%41", "%-1", "% 1", "%4%31", "%u0041"}) {
    CAPTURE(text);
    CHECK_FALSE(percent_decode(text).has_value());
    CHECK_FALSE(percent_decode(text, true).has_value());
  }
}

TEST_CASE("what is encoded can stand in a path or query, and keeps what is asked for") {
  CHECK(percent_encoded("aZ09-._~") == "aZ09-._~");
  CHECK(percent_encoded("a/b c?é") == "a%2Fb%20c%3F%C3%A9");
  CHECK(percent_encoded("/a b/", "/") == "/a%20b/");
  CHECK(percent_encoded(std::string("\0%", 2)) == "%00%25");
}

}  // namespace sa
