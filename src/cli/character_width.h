// How a terminal shows a character: alone, on two cells, or on top of the one before it. As Unicode 14 has it; terminals differ
// in newer ones. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace sa {

// The character at the beginning of `text`, which is well-formed and not empty.
char32_t code_point(std::string_view text);

// 0, 1 or 2 cells. Of what is no control character.
std::size_t cells_of(char32_t point);

// The bytes of the character at the beginning of `text` (well-formed, not empty) and of all that is shown on top of it: what a
// reader takes for one. A line break is one of its own.
std::size_t shown_character(std::string_view text);

}  // namespace sa
