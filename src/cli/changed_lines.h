// What differs between two texts, line by line. A pure function.
#pragma once

#include <string_view>
#include <vector>

namespace sa {

struct ChangedLine {
  bool added = false;  // else removed
  std::string_view text;
};

// In the order of the texts, what was removed before what came in its place. As few as possible where both texts are short;
// else all between the first and the last difference. Refers to the texts.
std::vector<ChangedLine> changed_lines(std::string_view before, std::string_view after);

// Without their line ends; a line end at the end begins no other line.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace sa
