#include "base/surrogates.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sa {
namespace {

constexpr std::size_t escape_length = 6;  // \uXXXX

// The code unit of the \uXXXX escape at the start of `text`, or 0.
std::uint16_t escaped_unit(std::string_view text) {
  if (text.size() < escape_length || !text.starts_with("\\u")) return 0;
  std::uint16_t unit = 0;
  const char* end = text.data() + escape_length;
  return std::from_chars(text.data() + 2, end, unit, 16).ptr == end ? unit : std::uint16_t{0};
}

bool is_high(std::uint16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(std::uint16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

std::string replace_lone_surrogates(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const std::uint16_t unit = escaped_unit(json);
    const bool pair = is_high(unit) && is_low(escaped_unit(json.substr(escape_length)));
    std::size_t length = pair ? 2 * escape_length : unit != 0 ? escape_length : json.front() == '\\' ? 2 : 1;
    length = std::min(length, json.size());
    out += !pair && (is_high(unit) || is_low(unit)) ? "\\uFFFD" : json.substr(0, length);
    json.remove_prefix(length);
  }
  return out;
}

}  // namespace sa
