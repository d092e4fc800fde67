// What a text has gained between two looks at its end. A pure function.
#pragma once

#include <string_view>

namespace sa {

struct Gain {
  std::string_view text;
  bool follows = true;  // what was there before; else something between the two seems to be missing
};

// Both are the last part of one growing text, in UTF-8; a character that is cut at an end of it stands there as U+FFFD. What of
// `now` follows `before`: as little as explains both. A part of `now`.
Gain gained(std::string_view before, std::string_view now);

}  // namespace sa
