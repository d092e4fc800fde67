#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sa {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

constexpr std::uint8_t byte_at(std::string_view bytes, std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); }

constexpr bool is_continuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// What may follow a lead byte: the sequence's length (0: not a lead byte) and the range of the second byte, which is
// where overlong forms, surrogates and everything above U+10FFFF are told apart (Unicode, table 3-7).
struct Lead {
  std::uint8_t length, second_low, second_high;
};

constexpr Lead lead_of(std::uint8_t byte) {
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

std::size_t ascii_words(std::string_view bytes) {
  std::size_t length = 0;
  for (std::uint64_t word; bytes.size() - length >= sizeof word; length += sizeof word) {
    std::memcpy(&word, bytes.data() + length, sizeof word);
    if (word & 0x8080808080808080) break;
  }
  return length;
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t";
  constexpr std::string_view kShort = "\"\\bfnrt";
  constexpr std::string_view kHex = "0123456789abcdef";
  if (const auto i = kSpecial.find(c); i != kSpecial.npos) {
    out += {'\\', kShort[i]};
  } else {
    const auto byte = static_cast<std::uint8_t>(c);
    out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
  }
}

}  // namespace

std::size_t utf8_sequence(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const std::uint8_t first = byte_at(bytes, 0);
  if (first < 0x80) return 1;
  const Lead lead = lead_of(first);
  if (lead.length == 0 || bytes.size() < lead.length) return 0;
  if (byte_at(bytes, 1) < lead.second_low || byte_at(bytes, 1) > lead.second_high) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if (!is_continuation(byte_at(bytes, i))) return 0;
  }
  return lead.length;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    bytes.remove_prefix(ascii_words(bytes));
    for (int i = 0; i < 8 && !bytes.empty(); ++i) {
      const std::size_t length = utf8_sequence(bytes);
      if (length == 0) return false;
      bytes.remove_prefix(length);
    }
  }
  return true;
}

std::string repair_utf8(std::string_view bytes, std::size_t max_bytes) {
  std::string out;
  out.reserve(std::min(bytes.size(), max_bytes));
  while (!bytes.empty()) {
    const std::size_t length = utf8_sequence(bytes);
    const std::string_view piece = length == 0 ? kReplacement : bytes.substr(0, length);
    if (max_bytes - out.size() < piece.size()) break;
    out += piece;
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

bool is_printable_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const std::uint8_t first = byte_at(text, 0);
    if (length == 0 || first < 0x20 || first == 0x7F) return false;
    if (first == 0xC2 && byte_at(text, 1) < 0xA0) return false;  // C1
    text.remove_prefix(length);
  }
  return true;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

void append_json_string(std::string& out, std::string_view text) {
  if (!is_utf8(text)) return append_json_string(out, repair_utf8(text, 3 * text.size()));  // U+FFFD takes three bytes
  const auto needs_escape = [](char c) { return static_cast<std::uint8_t>(c) < 0x20 || c == '"' || c == '\\'; };
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  for (auto rest = text.begin();;) {
    const auto special = std::find_if(rest, text.end(), needs_escape);
    out.append(rest, special);
    if (special == text.end()) break;
    append_escape(out, *special);
    rest = special + 1;
  }
  out += '"';
}

}  // namespace sa
