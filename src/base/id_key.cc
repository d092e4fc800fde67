// Every key starts with a character that tells its type:
//   n t f        the literals as they are
//   { [          the token without whitespace between its parts
//   s<text>      the decoded string; lone surrogates become three bytes that valid UTF-8 cannot contain (WTF-8)
//   #-<digits>e<exponent>   digits without leading or trailing zeros; no "-" when positive, no "e" when the exponent is
//   0
#include "base/id_key.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sa {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Longer runs of exponent digits do not fit 64 bits together with a shift.
constexpr std::size_t kMaxSmallExponentDigits = 18;

// Adds `shift` to a decimal number of more than kMaxSmallExponentDigits digits, so the result stays positive.
void add_to_decimal(std::string& decimal, std::int64_t shift) {
  for (auto digit = decimal.rbegin(); digit != decimal.rend() && shift != 0; ++digit) {
    shift += *digit - '0';
    const std::int64_t last = (shift % 10 + 10) % 10;
    *digit = static_cast<char>('0' + last);
    shift = (shift - last) / 10;
  }
  if (shift != 0) decimal.insert(0, std::to_string(shift));
  decimal.erase(0, decimal.find_first_not_of('0'));
}

// The exact sum of an exponent as spelled in a token (perhaps empty) and `shift`, in decimal.
std::string shifted_exponent(std::string_view exponent, std::int64_t shift) {
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  exponent.remove_prefix(std::min(exponent.find_first_not_of('0'), exponent.size()));
  if (exponent.size() <= kMaxSmallExponentDigits) {
    std::int64_t value = 0;
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    return std::to_string((negative ? -value : value) + shift);
  }
  std::string decimal(exponent);
  add_to_decimal(decimal, negative ? -shift : shift);
  return negative ? "-" + decimal : decimal;
}

std::string number_key(std::string_view token) {
  if (std::ranges::all_of(token, is_digit) && token.back() != '0') return "#" + std::string(token);

  std::string key = "#";
  if (token.starts_with('-')) {
    key += '-';
    token.remove_prefix(1);
  }
  const std::string_view mantissa = token.substr(0, token.find_first_of("eE"));
  const std::string_view exponent = token.substr(std::min(mantissa.size() + 1, token.size()));
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::string_view fraction = mantissa.substr(std::min(point + 1, mantissa.size()));

  std::string digits(mantissa.substr(0, point));
  digits += fraction;
  const std::size_t spelled = digits.size();
  digits.erase(digits.find_last_not_of('0') + 1);
  const std::size_t dropped = spelled - digits.size();
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "#0";

  key += digits;
  const auto shift = static_cast<std::int64_t>(dropped) - static_cast<std::int64_t>(fraction.size());
  if (const std::string power = shifted_exponent(exponent, shift); power != "0") key += "e" + power;
  return key;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto put_continuation = [&](int shift) { put(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put_continuation(0);
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put_continuation(6);
    put_continuation(0);
  } else {
    put(0xF0 | (code >> 18));
    put_continuation(12);
    put_continuation(6);
    put_continuation(0);
  }
}

// The code unit of the \uXXXX escape at the start of `text`, or 0 if there is no such escape.
std::uint32_t unicode_escape(std::string_view text) {
  std::uint32_t unit = 0;
  if (text.starts_with("\\u")) std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return unit;
}

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Appends what the escape at the start of `text` stands for; returns how many bytes spelled it.
std::size_t append_unescaped(std::string& out, std::string_view text) {
  constexpr std::string_view kShort = "bfnrt";
  constexpr std::string_view kMeaning = "\b\f\n\r\t";
  if (text[1] != 'u') {
    const auto i = kShort.find(text[1]);
    out += i == kShort.npos ? text[1] : kMeaning[i];
    return 2;
  }
  const std::uint32_t unit = unicode_escape(text);
  const std::uint32_t next = is_high_surrogate(unit) ? unicode_escape(text.substr(6)) : 0;
  if (is_low_surrogate(next)) {
    append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00));
    return 12;
  }
  append_utf8(out, unit);
  return 6;
}

std::string string_key(std::string_view token) {
  std::string_view text = token.substr(1, token.size() - 2);
  std::string key;
  key.reserve(1 + text.size());
  key += 's';
  for (;;) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    key += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return key;
    text.remove_prefix(append_unescaped(key, text));
  }
}

std::string compact(std::string_view token) {
  std::string key;
  key.reserve(token.size());
  bool in_string = false;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char c = token[i];
    if (in_string && c == '\\') {
      key += c;
      key += token[++i];
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string || static_cast<unsigned char>(c) > ' ') key += c;
  }
  return key;
}

}  // namespace

std::string id_key(std::string_view token) {
  switch (token.front()) {
    case '"': return string_key(token);
    case '{':
    case '[': return compact(token);
    case 'n':
    case 't':
    case 'f': return std::string(token);
    default: return number_key(token);
  }
}

}  // namespace sa
