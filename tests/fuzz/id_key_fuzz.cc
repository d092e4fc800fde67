// The input is two JSON values with a newline between them. Held: scalars have the same key exactly when they are the same
// value, compared in other ways than the key is made (numbers by aligning digits, strings as UTF-16); another spelling of the
// first has its key; a key is hardly longer than its token.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "base/id_key.h"
#include "base/json_scan.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

using boost::multiprecision::cpp_int;

// digits × 10^power, digits without leading zeros.
struct Decimal {
  bool negative = false;
  std::string digits;
  cpp_int power;
};

cpp_int integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  cpp_int value = 0;
  for (const char c : text)
    if (c >= '0' && c <= '9') value = value * 10 + (c - '0');
  return negative ? -value : value;
}

Decimal decimal(std::string_view token) {
  Decimal out;
  out.negative = token[0] == '-';
  const std::size_t e = token.find_first_of("eE");
  if (e != token.npos) out.power = integer(token.substr(e + 1));
  bool in_fraction = false;
  for (const char c : token.substr(0, e)) {
    if (c == '.') in_fraction = true;
    if (c < '0' || c > '9') continue;
    if (in_fraction) --out.power;
    if (c != '0' || !out.digits.empty()) out.digits += c;
  }
  return out;
}

bool same_number(const Decimal& a, const Decimal& b) {
  if (a.digits.empty() || b.digits.empty()) return a.digits.empty() && b.digits.empty();
  if (a.power < b.power) return same_number(b, a);
  const cpp_int zeros = a.power - b.power;
  return a.negative == b.negative && a.digits.size() + zeros == b.digits.size() && b.digits.starts_with(a.digits) &&
         b.digits.find_first_not_of('0', a.digits.size()) == std::string::npos;
}

// The characters of a string token as UTF-16, which lone surrogates fit into as well.
std::u16string utf16(std::string_view token) {
  std::u16string out;
  const auto put = [&out](std::uint32_t unit) { out += static_cast<char16_t>(unit); };
  std::string_view text = token.substr(1, token.size() - 2);
  const auto take = [&text] {
    const auto byte = static_cast<std::uint8_t>(text[0]);
    text.remove_prefix(1);
    return byte;
  };
  while (!text.empty()) {
    std::uint32_t c = take();
    if (c == '\\') {
      c = take();
      if (c == 'u') {
        c = static_cast<std::uint32_t>(std::stoul(std::string(text.substr(0, 4)), nullptr, 16));
        text.remove_prefix(4);
      } else {
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
      }
    } else if (c >= 0x80) {
      int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
      c &= 0x3Fu >> more;
      for (; more > 0; --more) c = c << 6 | (take() & 0x3Fu);
    }
    if (c >= 0x10000) {
      put(0xD800 + ((c - 0x10000) >> 10));
      put(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      put(c);
    }
  }
  return out;
}

// Another spelling of the same value.
std::string respelled(JsonKind kind, std::string_view token) {
  if (kind == JsonKind::number) {
    const Decimal value = decimal(token);
    const cpp_int power = value.power + value.digits.size();
    return (value.negative ? "-0." : "0.") + value.digits + "0000e" + power.str();
  }
  if (kind != JsonKind::string) return std::string(token);
  std::string out = "\"";
  for (const char16_t unit : utf16(token)) out += fmt::format("\\u{:04x}", static_cast<unsigned>(unit));
  return out + '"';
}

bool same_value(JsonKind kind, std::string_view a, std::string_view b) {
  if (kind == JsonKind::number) return same_number(decimal(a), decimal(b));
  if (kind == JsonKind::string) return utf16(a) == utf16(b);
  return a == b;
}

// Not equal although spelled alike would be wrong; that they are spelled alike but for blanks is all that is promised.
void check_containers(std::string_view a, std::string_view b) {
  boost::system::error_code error_a, error_b;
  const auto value_a = boost::json::parse({a.data(), a.size()}, error_a);
  const auto value_b = boost::json::parse({b.data(), b.size()}, error_b);
  if (error_a || error_b || id_key(a) != id_key(b)) return;
  hold(value_a == value_b, "containers of the same key are equal");
}

// The kind of a token as the scanner delivers it, without blanks around it.
JsonKind kind_of(std::string_view token) {
  if (token.empty() || token.front() <= ' ' || token.back() <= ' ') return JsonKind::invalid;
  return scan_json(token).kind;
}

bool check(std::string_view input) {
  const std::string_view a = input.substr(0, input.find('\n'));
  const std::string_view b = input.substr(std::min(a.size() + 1, input.size()));
  const JsonKind kind_a = kind_of(a), kind_b = kind_of(b);
  if (kind_a == JsonKind::invalid || kind_b == JsonKind::invalid) return false;
  const std::string key_a = id_key(a), key_b = id_key(b);
  hold(key_a.size() <= a.size() + 24, "a key is hardly longer than its token");
  if (kind_a != kind_b) {
    hold(key_a != key_b, "type matters");
  } else if (kind_a == JsonKind::object || kind_a == JsonKind::array) {
    check_containers(a, b);
  } else {
    hold((key_a == key_b) == same_value(kind_a, a, b), "the same key is the same value");
    const std::string other = respelled(kind_a, a);
    hold(kind_of(other) == kind_a && id_key(other) == key_a, "spelling does not matter");
  }
  return true;
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sa::fuzz::check(sa::fuzz::text_of(data, size)) ? 0 : -1;
}
