#include "base/surrogates.h"

#include <doctest/doctest.h>

namespace sa {

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

}  // namespace sa
