// Percent-decoding. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sa {

// nullopt on a malformed escape. `plus_is_space` is the rule of query strings.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);

}  // namespace sa
