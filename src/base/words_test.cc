#include "base/words.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a command line is split as a shell would split it") {
  CHECK(split_words("a  b\tc\nd") == Words{"a", "b", "c", "d"});
  CHECK(split_words("  a  ") == Words{"a"});
  CHECK(split_words("") == Words{});
  CHECK(split_words(" \t ") == Words{});
  CHECK(split_words("'a b' \"c d\"") == Words{"a b", "c d"});
  CHECK(split_words("a'b c'd\"e f\"") == Words{"ab cde f"});
  CHECK(split_words("'' \"\"") == Words{"", ""});
  CHECK(split_words("'\"' \"'\"") == Words{"\"", "'"});
  CHECK(split_words(R"(a\ b \'c\' \\)") == Words{"a b", "'c'", "\\"});
  CHECK(split_words(R"("a\"b" 'a\b')") == Words{"a\"b", "a\\b"});
  CHECK(split_words(R"("a\nb" "\$x\`\\\y")") == Words{"a\\nb", "$x`\\\\y"});  // only there a backslash may stand for itself
  CHECK(split_words("a\\\nb \"c\\\nd\" \\\n e") == Words{"ab", "cd", "e"});   // a line that goes on
  CHECK(split_words("$HOME *.js é") == Words{"$HOME", "*.js", "é"});
}

TEST_CASE("an open quote is not a command line") {
  for (const char* line : {"'", "\"", "a 'b", "a \"b", "'a\"", R"("a\")"}) {
    CAPTURE(line);
    CHECK_FALSE(split_words(line).has_value());
  }
}

TEST_CASE("a backslash at the very end stands for itself") { CHECK(split_words("a\\") == Words{"a\\"}); }

}  // namespace sa
