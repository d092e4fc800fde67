#include "base/telling_line.h"

#include <algorithm>

#include "base/utf8.h"

namespace sa {
namespace {

constexpr std::size_t longest_told = 500;
constexpr std::string_view blanks = " \t\r\n";

// npm says "npm error code ENOTFOUND", then "syscall …", "errno …", "path …" alike, what is wrong in words, hints, and last
// where its log is.
bool is_npm_detail(std::string_view words) {
  constexpr std::string_view names[] = {"code ", "syscall ", "errno ", "path ", "dest "};
  return std::ranges::any_of(names, [words](std::string_view name) { return words.starts_with(name); }) ||
         words.contains("A complete log of this run");
}

// A frame, the place in the source or its mark, an object's members, brackets that close, what Node adds about itself.
bool is_trace(std::string_view line) {
  constexpr std::string_view never_words = "^~)]}, \t\r";
  return line.starts_with(' ') || line.starts_with('\t') || line.starts_with("Node.js v") || line.starts_with("(Use `node ") ||
         line.find_first_not_of(never_words) == std::string_view::npos;
}

bool names_error(std::string_view line) {
  constexpr std::string_view names[] = {"Error", "ERROR", "error:", "fatal", "Fatal", "FATAL", "panic"};
  return std::ranges::any_of(names, [line](std::string_view name) { return line.contains(name); });
}

}  // namespace

std::string printable_line(std::string_view text) {
  const std::string mended = repair_utf8(text, longest_told);
  std::string line;
  for (std::string_view rest = mended; !rest.empty();) {
    const std::string_view character = rest.substr(0, utf8_sequence(rest));
    line += is_printable_utf8(character) ? character : " ";
    rest.remove_prefix(character.size());
  }
  return line;
}

std::string last_line(std::string_view output) {
  const std::size_t end = output.find_last_not_of(blanks) + 1;  // npos + 1 is 0
  const std::string_view said = output.substr(0, end);
  return printable_line(said.substr(said.rfind('\n') + 1));
}

std::string cause_line(std::string_view output) {
  constexpr int most_lines = 40;
  std::string_view words;
  std::string_view rest = output;
  for (int lines = 0; !rest.empty() && lines < most_lines; ++lines) {
    const std::size_t begin = rest.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = rest.substr(begin);
    rest = rest.substr(0, begin == 0 ? 0 : begin - 1);
    if (is_trace(line)) continue;
    if (names_error(line)) return last_line(line);
    if (words.empty()) words = line;
  }
  return last_line(words.empty() ? output : words);
}

std::string npm_line(std::string_view output) {
  constexpr std::string_view mark = "npm error ";
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.starts_with(mark)) continue;
    const std::string_view words = line.substr(mark.size());
    if (!is_npm_detail(words) && !is_blank(words)) return last_line(words);
  }
  return last_line(output);
}

}  // namespace sa
