// The words of a prompt such as "/flood 100". Pure functions.
#pragma once

#include <string_view>

namespace sa::mock {

// The first word of `text`, which is cut off.
std::string_view take_word(std::string_view& text);

// The number after the scene's name: `fallback` when there is none, never above `highest`.
unsigned number_after_name(std::string_view text, unsigned fallback, unsigned highest);

}  // namespace sa::mock
