// Text as one word of a POSIX shell. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sa {

// As it is when a shell leaves it alone, else in single quotes.
std::string shell_quoted(std::string_view text);

}  // namespace sa
