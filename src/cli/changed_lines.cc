#include "cli/changed_lines.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace sa {
namespace {

using Lines = std::span<const std::string_view>;

constexpr std::size_t most_compared = 250'000;  // pairs of lines

std::vector<ChangedLine> all_changed(Lines before, Lines after) {
  std::vector<ChangedLine> changes;
  for (const std::string_view line : before) changes.push_back({false, line});
  for (const std::string_view line : after) changes.push_back({true, line});
  return changes;
}

// By the longest common subsequence: common[i][j] is its length from line i and line j on.
std::vector<ChangedLine> fewest_changes(Lines before, Lines after) {
  const std::size_t row = after.size() + 1;
  std::vector<std::uint32_t> common((before.size() + 1) * row);
  for (std::size_t i = before.size(); i-- > 0;)
    for (std::size_t j = after.size(); j-- > 0;)
      common[i * row + j] = before[i] == after[j] ? common[(i + 1) * row + j + 1] + 1
                                                  : std::max(common[(i + 1) * row + j], common[i * row + j + 1]);
  std::vector<ChangedLine> changes;
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      ++i, ++j;
    } else if (j == after.size() || (i < before.size() && common[(i + 1) * row + j] >= common[i * row + j + 1])) {
      changes.push_back({false, before[i++]});
    } else {
      changes.push_back({true, after[j++]});
    }
  }
  return changes;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<ChangedLine> changed_lines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = split_lines(before), new_lines = split_lines(after);
  Lines from = old_lines, to = new_lines;
  while (!from.empty() && !to.empty() && from.front() == to.front()) {
    from = from.subspan(1);
    to = to.subspan(1);
  }
  while (!from.empty() && !to.empty() && from.back() == to.back()) {
    from = from.first(from.size() - 1);
    to = to.first(to.size() - 1);
  }
  const bool is_short = to.empty() || from.size() <= most_compared / to.size();
  return is_short ? fewest_changes(from, to) : all_changed(from, to);
}

}  // namespace sa
