#include "cli/plain_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sa {
namespace {

// U+202A to U+202E and U+2066 to U+2069 turn the order of what is seen around: a command could look like another one.
bool begins_with_turn(std::string_view text) {
  if (text.size() < 3) return false;
  const auto last = static_cast<unsigned char>(text[2]);
  return (text.starts_with("\xE2\x80") && last >= 0xAA && last <= 0xAE) ||
         (text.starts_with("\xE2\x81") && last >= 0xA6 && last <= 0xA9);
}

// The length of a control character at the beginning of `text`: ASCII's, one of those behind it (C2 80 to C2 9F), or one that
// turns the direction; else 0.
std::size_t control_length(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x20 || byte == 0x7F) return 1;
  const bool second = byte == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0;
  if (second) return 2;
  return begins_with_turn(text) ? 3 : 0;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t most) {
  std::string line;
  std::size_t characters = 0;
  while (!text.empty()) {
    const bool starts_character = (static_cast<unsigned char>(text.front()) & 0xC0) != 0x80;
    if (starts_character && ++characters > most) return line + "…";
    const std::size_t control = control_length(text);
    line += control > 0 ? ' ' : text.front();
    text.remove_prefix(std::max<std::size_t>(control, 1));
  }
  return line;
}

std::string harmless(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const char first = text.front();
    const std::size_t control = first == '\n' || first == '\t' ? 0 : control_length(text);
    if (control == 0) shown += first;
    if (control == 1) shown += fmt::format("^{:c}", static_cast<char>(first ^ 0x40));
    if (control == 2) shown += fmt::format("<{:02x}>", static_cast<unsigned char>(text[1]));
    if (control == 3) shown += fmt::format("<20{:x}>", (text[1] & 1) * 0x40 + (text[2] & 0x3F));
    text.remove_prefix(std::max<std::size_t>(control, 1));
  }
  return shown;
}

}  // namespace sa
