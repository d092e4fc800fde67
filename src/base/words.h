// Splitting a command line into words as a shell would: blanks separate, quotes and backslashes protect. No expansion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sa {

// nullopt when a quote is not closed.
std::optional<std::vector<std::string>> split_words(std::string_view line);

}  // namespace sa
