#include "base/shell_words.h"

#include <algorithm>

namespace sa {
namespace {

// What no shell gives a meaning inside a word. '~' and '=' have one at some places.
bool needs_no_quotes(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:,@%+").contains(c);
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, needs_no_quotes)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

}  // namespace sa
