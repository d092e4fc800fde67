#include "base/output_tail.h"

#include <doctest/doctest.h>

#include "base/utf8.h"

namespace sa {

TEST_CASE("output is kept as it came, up to its bound, the newest last") {
  OutputTail tail;
  CHECK(tail.text().empty());
  tail.append("one\n");
  tail.append("two");
  CHECK(tail.text() == "one\ntwo");
  for (int i = 0; i < 20'000; ++i) tail.append("line " + std::to_string(i) + "\n");
  CHECK(tail.text().size() == 64 * 1024);
  CHECK(tail.text().ends_with("line 19998\nline 19999\n"));
}

TEST_CASE("one flood of output is cut to its end") {
  OutputTail tail;
  tail.append(std::string(1'000'000, 'x') + "the end");
  CHECK(tail.text().size() == 64 * 1024);
  CHECK(tail.text().ends_with("xthe end"));
}

TEST_CASE("the last lines are the last twenty, with or without a newline at the end") {
  OutputTail tail;
  for (int i = 1; i <= 30; ++i) tail.append(std::to_string(i) + "\n");
  CHECK(tail.last_lines() == "11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n");
  tail.append("last");
  CHECK(tail.last_lines().starts_with("12\n"));
  CHECK(tail.last_lines().ends_with("30\nlast"));
  OutputTail short_tail;
  short_tail.append("only\n");
  CHECK(short_tail.last_lines() == "only\n");
  CHECK(OutputTail().last_lines().empty());
}

TEST_CASE("long lines are cut in errors") {
  OutputTail tail;
  tail.append(std::string(100'000, 'x') + "!");
  CHECK(tail.last_lines() == std::string(4'095, 'x') + "!");
}

TEST_CASE("broken and cut UTF-8 is repaired") {
  OutputTail tail;
  tail.append("a\xFF\xC3");
  CHECK(tail.text() == "a\uFFFD\uFFFD");
  std::string accents;
  for (int i = 0; i < 50'000; ++i) accents += "é";
  tail.append(accents + "x");
  CHECK(is_utf8(tail.text()));
  CHECK(is_utf8(tail.last_lines()));
  CHECK(tail.last_lines().ends_with("éx"));
}

}  // namespace sa
