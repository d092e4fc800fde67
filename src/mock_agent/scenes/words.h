// The words of a prompt such as "/flood 100". Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sa::mock {

// The first word of `text`, which is cut off.
std::string_view take_word(std::string_view& text);

struct Number {
  unsigned value;
  std::string remark = {};  // a line for the user when it is not what was asked for; else empty
};

// The number after the scene's name: `fallback` when there is none, never above `highest`.
Number number_after_name(std::string_view text, unsigned fallback, unsigned highest);

}  // namespace sa::mock
