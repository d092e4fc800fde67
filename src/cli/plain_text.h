// Somebody else's text for people. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sa {

// Without line ends and what a terminal would obey, cut to `most` characters.
std::string one_line(std::string_view text, std::size_t most);

// Line ends and tabs stay; what a terminal would obey becomes visible.
std::string harmless(std::string_view text);

}  // namespace sa
