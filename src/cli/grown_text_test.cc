#include "cli/grown_text.h"

#include <doctest/doctest.h>

#include <string>

namespace sa {

TEST_CASE("what follows a text is what it has gained") {
  CHECK(gained("", "one\n") == "one\n");
  CHECK(gained("one\n", "one\ntwo\n") == "two\n");
  CHECK(gained("one\n", "one\n") == "");
}

TEST_CASE("what has left at the beginning does not come again") {
  CHECK(gained("one\ntwo\n", "two\nthree\n") == "three\n");
  CHECK(gained("one\ntwo\n", "something else\n") == "something else\n");
}

TEST_CASE("a text that repeats itself loses nothing") {
  std::string ticks;
  for (int i = 0; i < 200; ++i) ticks += "tick\n";
  CHECK(gained("begin\n" + ticks, ticks + "news\n" + ticks) == "news\n" + ticks);
}

TEST_CASE("a character that was cut when it was looked at is shown whole, and nothing else again") {
  CHECK(gained("one\ncaf\uFFFD", "one\ncafé\n") == "é\n");
  CHECK(gained("éone\ntwo\n", "\uFFFDone\ntwo\nthree\n") == "three\n");
}

}  // namespace sa
