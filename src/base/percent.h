// Percent-encoding. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sa {

int hex_digit(char c);  // its value, or -1

// nullopt on a malformed escape. `plus_is_space` is the rule of query strings.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);

// Everything but letters, digits, "-._~" and what is `also_plain`: for a segment of a path, or a value in a query.
std::string percent_encoded(std::string_view bytes, std::string_view also_plain = "");

}  // namespace sa
