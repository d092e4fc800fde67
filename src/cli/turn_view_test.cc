#include "cli/turn_view.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("counts and times read easily") {
  CHECK(count_text(999) == "999");
  CHECK(count_text(1'234) == "1.2 k");
  CHECK(duration_text(Millis(6'120)) == "6.1 s");
  CHECK(duration_text(Millis(125'000)) == "2 min 5 s");
}

}  // namespace sa
