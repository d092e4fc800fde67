#include "base/words.h"

namespace sa {
namespace {

// Whether a backslash means what follows it: never within single quotes, and within double quotes only before some characters.
bool protects(std::string_view rest, char quote) {
  if (rest.empty() || quote == '\'') return false;
  return quote == 0 || std::string_view("$`\"\\\n").contains(rest.front());
}

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (c == '\\' && protects(line.substr(at + 1), quote)) {
      if (line[++at] == '\n') continue;  // the line goes on
      word += line[at];
      in_word = true;
    } else if (quote != 0) {
      word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) return std::nullopt;
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace sa
