#include "base/percent.h"

namespace sa {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[at] != '%') {
      out += text[at];
    } else {
      if (at + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[at + 1]);
      const int low = hex_digit(text[at + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      at += 2;
    }
  }
  return out;
}

std::string percent_encoded(std::string_view bytes, std::string_view also_plain) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  std::string out;
  for (const char c : bytes) {
    if (plain.contains(c) || also_plain.contains(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', digits[byte >> 4], digits[byte & 15]});
    }
  }
  return out;
}

}  // namespace sa
