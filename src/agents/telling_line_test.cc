#include "agents/telling_line.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("the last line that says something is told") {
  CHECK(last_line("one\ntwo\tx \r\n\n") == "two x");
  CHECK(last_line("one") == "one");
  CHECK(last_line(" \n\t\n") == "");
  CHECK(last_line("") == "");
}

TEST_CASE("what is told is short, cut between characters, and nothing a terminal would obey") {
  CHECK(last_line("a\x1b[2Jb\u009bc\xff") == "a [2Jb c\uFFFD");
  const std::string long_line = last_line("x" + std::string(9000, 'y') + "\n");
  CHECK(long_line.size() == 500);
  std::string wide;
  for (int i = 0; i < 400; ++i) wide += "é";
  CHECK(last_line("x" + wide) == "x" + wide.substr(0, 498));
}

TEST_CASE("of npm's errors the first in words is told, its details are not") {
  CHECK(npm_line("npm error code E404\nnpm error 404 Not Found\nnpm error A complete log of this run is in x\n") ==
        "404 Not Found");
  CHECK(npm_line("npm error code E404\nnpm error errno 7\nlast words\n") == "last words");
  CHECK(npm_line("") == "");
}

}  // namespace sa
