// ASCII letters in lower case: names of hosts, schemes and headers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sa {

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace sa
