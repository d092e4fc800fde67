// Text as one word of a POSIX shell. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sa {

// As it is when a shell leaves it alone, else in single quotes.
std::string shell_quoted(std::string_view text);

// A command line of these words.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace sa
