#include "mock_agent/scenes/words.h"

#include <algorithm>
#include <charconv>

namespace sa::mock {
namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

Number number_after_name(std::string_view text, unsigned fallback, unsigned highest) {
  const std::string_view name = take_word(text);
  const std::string_view word = take_word(text);
  if (word.empty()) return {fallback};
  unsigned number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
    return {fallback,
            "What follows " + std::string(name) + " is no whole number, so I take " + std::to_string(fallback) + ".\n"};
  }
  if (error == std::errc() && number <= highest) return {number};
  return {highest, "The highest number for " + std::string(name) + " is " + std::to_string(highest) + ", so I take that.\n"};
}

}  // namespace sa::mock
