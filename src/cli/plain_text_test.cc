#include "cli/plain_text.h"

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
  CHECK(harmless("a\u009b31mb\u00a0") == "a<9b>31mb\u00a0");
  CHECK(one_line("a\u009bb", 10) == "a b");
}

TEST_CASE("nothing turns around the order in which a text is seen") {
  CHECK(harmless("rm \u202etxt.\u2066a\u2069 \u200f\u2026") == "rm <202e>txt.<2066>a<2069> \u200f\u2026");
  CHECK(one_line("rm \u202etxt\u2066", 10) == "rm  txt ");
}

}  // namespace sa
