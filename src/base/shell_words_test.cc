#include "base/shell_words.h"

#include <doctest/doctest.h>

#include "base/words.h"

namespace sa {

TEST_CASE("a word that a shell leaves alone stays as it is") {
  for (const char* word : {"sk-ant-api03_A.b", "/usr/bin:/bin", "a@b", "50%", "1,2", "a+b"}) CHECK(shell_quoted(word) == word);
}

TEST_CASE("everything else is put into single quotes, a quote outside of them") {
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("a b") == "'a b'");
  CHECK(shell_quoted("$HOME`id`\"\\") == "'$HOME`id`\"\\'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  CHECK(shell_quoted("~") == "'~'");
  CHECK(shell_quoted("a\nb") == "'a\nb'");
  CHECK(shell_quoted("é") == "'é'");
}

TEST_CASE("what is quoted splits into the same one word again") {
  for (const std::string word : {"", "'", "''", " a ", "\\", "a'b\"c d\n", "plain"})
    CHECK(split_words(shell_quoted(word)) == std::vector<std::string>{word});
}

TEST_CASE("a command line has its words apart, quoted where they must be") {
  CHECK(shell_line({"a", "b c", ""}) == "a 'b c' ''");
  CHECK(shell_line({}) == "");
}

}  // namespace sa
