#include "cli/turn_view.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("a line for people holds no line end and nothing a terminal would obey") {
  CHECK(one_line("a\nb\x1b[31mc\x7f", 50) == "a b [31mc ");
  CHECK(one_line("abc", 3) == "abc");
  CHECK(one_line("abcd", 3) == "abc…");
  CHECK(one_line("äöüß", 3) == "äöü…");
}

TEST_CASE("text for a terminal keeps its lines and shows its controls") {
  CHECK(harmless("a\tb\nc") == "a\tb\nc");
  CHECK(harmless("\x1b]0;title\x07") == "^[]0;title^G");
  CHECK(harmless("\x7f é") == "^? é");
}

TEST_CASE("counts and times read easily") {
  CHECK(count_text(999) == "999");
  CHECK(count_text(1'234) == "1.2 k");
  CHECK(duration_text(Millis(6'120)) == "6.1 s");
  CHECK(duration_text(Millis(125'000)) == "2 min 5 s");
}

}  // namespace sa
