// The input is a name, a newline and a query string. Held: percent-decoding finds what a plain decoder finds and undoes any
// encoding; of the parameters the first of that name is found, and one with a broken escape is refused.
// Inputs: at most 256 bytes.
#include <algorithm>
#include <string>

#include "base/percent.h"
#include "fuzz_input.h"
#include "http/request.h"

namespace sa::fuzz {
namespace {

std::optional<std::string> decode_plainly(std::string text, bool plus_is_space) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  if (plus_is_space) std::ranges::replace(text, '+', ' ');
  for (std::size_t at = 0; (at = text.find('%', at)) != text.npos; ++at) {
    const std::string digits = text.substr(at + 1, 2);
    if (digits.size() != 2 || !kHex.contains(digits[0]) || !kHex.contains(digits[1])) return std::nullopt;
    text.replace(at, 3, 1, static_cast<char>(std::stoi(digits, nullptr, 16)));
  }
  return text;
}

std::string encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    out += {'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return out;
}

// The raw value of the first parameter of this name; its key must be well-formed.
std::optional<std::string> find_plainly(std::string_view query, const std::string& name) {
  for (bool more = true; more;) {
    const std::string pair(query.substr(0, query.find('&')));
    more = pair.size() < query.size();
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (decode_plainly(pair.substr(0, equals), true) != name) continue;
    return pair.substr(std::min(equals + 1, pair.size()));
  }
  return std::nullopt;
}

void check(std::string_view input) {
  const std::string name(input.substr(0, input.find('\n')));
  const std::string_view query = input.substr(std::min(name.size() + 1, input.size()));
  for (const bool plus_is_space : {false, true}) {
    hold(percent_decode(query, plus_is_space) == decode_plainly(std::string(query), plus_is_space),
         "escapes are two hex digits");
    hold(percent_decode(encoded(query), plus_is_space) == query, "decoding undoes encoding");
    hold(percent_decode(percent_encoded(query), plus_is_space) == query, "also ours");
  }
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f && !std::string_view("&=?#+\"").contains(c); };
  hold(std::ranges::all_of(percent_encoded(query), is_plain), "what is encoded can stand in a query");
  if (name.empty()) return;  // nobody asks for it
  Request request;
  request.query = query;
  const auto found = request.query_parameter(name);
  const auto raw = find_plainly(query, name);
  const auto value = raw ? decode_plainly(*raw, true) : std::nullopt;
  hold(found.has_value() == (!raw || value), "a broken escape is refused");
  if (found) hold(*found == value, "the first parameter of a name counts");
  const auto flag = request.query_flag(name);
  const bool is_word = !raw || value == "true" || value == "false";
  hold(flag.has_value() == is_word && (!flag || *flag == (value == "true")), "a flag is one of two words");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
