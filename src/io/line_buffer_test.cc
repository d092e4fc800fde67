#include "io/line_buffer.h"

#include <doctest/doctest.h>

#include <vector>

namespace sa {
namespace {

std::vector<std::string> lines(LineBuffer& buffer) {
  std::vector<std::string> all;
  while (const auto line = buffer.front()) {
    all.emplace_back(*line);
    buffer.pop();
  }
  return all;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("lines come out whole however the bytes are cut") {
  const std::string text = "one\n\ntwo\r\nthree\nrest";
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      LineBuffer buffer;
      Lines all;
      for (const std::string& piece : {text.substr(0, first), text.substr(first, second - first), text.substr(second)}) {
        buffer.feed(piece);
        for (std::string& line : lines(buffer)) all.push_back(std::move(line));
      }
      CHECK(all == Lines{"one", "", "two\r", "three"});
      CHECK(buffer.rest() == "rest");
    }
  }
}

TEST_CASE("a line stays in front until it is popped") {
  LineBuffer buffer;
  buffer.feed("a\nb\n");
  CHECK(buffer.front() == "a");
  CHECK(buffer.front() == "a");
  buffer.feed("c\n");
  CHECK(buffer.front() == "a");
  buffer.pop();
  CHECK(lines(buffer) == Lines{"b", "c"});
  CHECK_FALSE(buffer.front().has_value());
}

TEST_CASE("the rest of a line grows until its end comes") {
  LineBuffer buffer;
  CHECK(buffer.rest().empty());
  buffer.feed("x\nabc");
  CHECK(lines(buffer) == Lines{"x"});
  CHECK(buffer.rest() == "abc");
  buffer.feed("def");
  CHECK_FALSE(buffer.front().has_value());
  CHECK(buffer.rest() == "abcdef");
  buffer.feed("\n");
  CHECK(lines(buffer) == Lines{"abcdef"});
  CHECK(buffer.rest().empty());
}

TEST_CASE("a cleared buffer starts anew") {
  LineBuffer buffer;
  buffer.feed("half a li");
  CHECK_FALSE(buffer.front().has_value());
  buffer.clear();
  buffer.feed("new\n");
  CHECK(lines(buffer) == Lines{"new"});
}

TEST_CASE("bytes that are not text are bytes") {
  LineBuffer buffer;
  buffer.feed(std::string("\0\xFF\n\0", 4));
  CHECK(lines(buffer) == Lines{std::string("\0\xFF", 2)});
  CHECK(buffer.rest() == std::string(1, '\0'));
}

}  // namespace sa
