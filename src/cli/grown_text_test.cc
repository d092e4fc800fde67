#include "cli/grown_text.h"

#include <doctest/doctest.h>

#include <string>

namespace sa {

TEST_CASE("what follows a text is what it has gained") {
  CHECK(gained("", "one\n").text == "one\n");
  CHECK(gained("one\n", "one\ntwo\n").text == "two\n");
  CHECK(gained("one\n", "one\n").text == "");
}

TEST_CASE("what has left at the beginning does not come again") {
  CHECK(gained("one\ntwo\n", "two\nthree\n").text == "three\n");
  CHECK(gained("one\ntwo\n", "something else\n").text == "something else\n");
}

TEST_CASE("a text that repeats itself loses nothing") {
  std::string ticks;
  for (int i = 0; i < 200; ++i) ticks += "tick\n";
  CHECK(gained("begin\n" + ticks, ticks + "news\n" + ticks).text == "news\n" + ticks);
}

TEST_CASE("text that was lost between two looks is noticed, also where the ends have a few bytes in common") {
  const std::string line = "a line that is long enough to be no accident\n";
  CHECK(gained("", "one\n").follows);
  CHECK(gained("one\n", "one\ntwo\n").follows);
  CHECK(gained("gone\n" + line, line + "new\n").follows);
  CHECK(gained("gone\n" + line, line).follows);
  CHECK_FALSE(gained("one\ntwo\n", "something else\n").follows);
  CHECK_FALSE(gained("gone\ntick 17\n", "\ntick 90\n").follows);
  CHECK(gained("gone\ntick 17\n", "\ntick 90\n").text == "tick 90\n");
}

TEST_CASE("a character that was cut when it was looked at is shown whole, and nothing else again") {
  CHECK(gained("one\ncaf\uFFFD", "one\ncafé\n").text == "é\n");
  CHECK(gained("éone\ntwo\n", "\uFFFDone\ntwo\nthree\n").text == "three\n");
}

}  // namespace sa
