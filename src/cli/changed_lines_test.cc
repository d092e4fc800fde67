#include "cli/changed_lines.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace sa {
namespace {

std::string changes_between(std::string_view before, std::string_view after) {
  std::string all;
  for (const ChangedLine& line : changed_lines(before, after)) all += fmt::format("{}{};", line.added ? '+' : '-', line.text);
  return all;
}

}  // namespace

TEST_CASE("only the lines that differ are changed, each where it stands") {
  CHECK(changes_between("a\nb\nc\nd\ne\n", "a\nB\nc\nd\nE\n") == "-b;+B;-e;+E;");
  CHECK(changes_between("a\nb\n", "a\nnew\nb\n") == "+new;");
  CHECK(changes_between("a\ngone\nb\n", "a\nb\n") == "-gone;");
  CHECK(changes_between("same\n", "same\n").empty());
}

TEST_CASE("a new text is all added, an empty one all removed, and the last line needs no end") {
  CHECK(changes_between("", "a\n\nb") == "+a;+;+b;");
  CHECK(changes_between("a\nb", "") == "-a;-b;");
  CHECK(changes_between("", "").empty());
}

TEST_CASE("texts too long to compare change from their first to their last difference") {
  std::string before = "head\n", after = "head\n";
  for (int i = 0; i < 1'000; ++i) before += fmt::format("{} {}\n", i == 500 ? "both" : "old", i);
  for (int i = 0; i < 1'000; ++i) after += fmt::format("{} {}\n", i == 500 ? "both" : "new", i);
  before += "tail\n";
  after += "tail\n";
  const auto changes = changed_lines(before, after);
  REQUIRE(changes.size() == 2'000);
  CHECK(changes.front().text == "old 0");
  CHECK_FALSE(changes[999].added);
  CHECK(changes[1'000].added);
  CHECK(changes.back().text == "new 999");
}

}  // namespace sa
