#include "cli/character_width.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("a character takes a cell, two, or none") {
  CHECK(cells_of('a') == 1);
  CHECK(cells_of(U'é') == 1);
  CHECK(cells_of(U'›') == 1);
  CHECK(cells_of(U'漢') == 2);
  CHECK(cells_of(U'한') == 2);
  CHECK(cells_of(U'Ａ') == 2);
  CHECK(cells_of(U'🙂') == 2);
  CHECK(cells_of(U'\u0301') == 0);
  CHECK(cells_of(U'\u200D') == 0);
  CHECK(cells_of(U'\u05B0') == 0);
}

TEST_CASE("what is shown on top of a character belongs to it") {
  CHECK(shown_character("ab") == 1);
  CHECK(shown_character("e\u0301\u0323x") == 5);
  CHECK(shown_character("👩\u200D💻x") == 11);
  CHECK(shown_character("\n\u0301") == 1);
  CHECK(shown_character("\u200D\n") == 3);
}

TEST_CASE("a code point is what its bytes say") {
  CHECK(code_point("a") == 'a');
  CHECK(code_point("éx") == U'é');
  CHECK(code_point("漢") == U'漢');
  CHECK(code_point("🙂") == U'🙂');
}

}  // namespace sa
