#include "cli/console.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("of what a terminal would obey only our colours are left, where there are any") {
  CHECK(inert("\x1b[31merror:\x1b[0m one\ntwo\t\x1b[2Jthree", true) == "\x1b[31merror:\x1b[0m one\ntwo\t^[[2Jthree");
  CHECK(inert("\x1b[31merror:\x1b[0m", false) == "^[[31merror:^[[0m");
  CHECK(inert("\x1b]0;title\a \u009b2J\r", true) == "^[]0;title^G <9b>2J^M");
  CHECK(inert("\x1b[31;5m \x1b", true) == "^[[31;5m ^[");
}

TEST_CASE("a colour ends with the text it is in") {
  CHECK(inert("a \x1b[31mb", true) == "a \x1b[31mb\x1b[0m");
  CHECK(inert("\x1b[1ma\x1b[0m b", true) == "\x1b[1ma\x1b[0m b");
}

}  // namespace sa
