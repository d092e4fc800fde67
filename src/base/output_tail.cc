#include "base/output_tail.h"

#include <algorithm>

#include "base/utf8.h"

namespace sa {
namespace {

constexpr std::size_t lines_in_errors = 20;
constexpr std::size_t bytes_in_errors = 4 * 1024;

std::string_view last_bytes(std::string_view text, std::size_t most) {
  return text.substr(text.size() - std::min(text.size(), most));
}

}  // namespace

std::string OutputTail::text() const { return repair_utf8(last_bytes(text_, max_bytes_), 3 * max_bytes_); }

std::string OutputTail::last_lines() const {
  std::string_view tail = last_bytes(text_, bytes_in_errors);
  std::size_t start = tail.size();
  for (std::size_t lines = 0; start > 0; --start)
    if (tail[start - 1] == '\n' && start < tail.size() && ++lines == lines_in_errors) break;
  return repair_utf8(tail.substr(start), 3 * bytes_in_errors);
}

}  // namespace sa
