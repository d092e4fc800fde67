// Percent-encoding. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sa {

// nullopt on a malformed escape. `plus_is_space` is the rule of query strings.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);

// Everything but letters, digits, "-._~" and "/", so that it can stand in a path or query.
std::string percent_encode(std::string_view bytes);

}  // namespace sa
