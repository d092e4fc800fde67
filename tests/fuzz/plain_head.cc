#include "plain_head.h"

#include <strings.h>

#include <algorithm>

namespace sa::fuzz {
namespace {

constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";

bool is_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_alnum(c) || kTokenMarks.contains(c); });
}
bool is_visible_ascii(char c) { return c > ' ' && c < 0x7f; }
bool is_field_byte(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != 0x7f); }

std::optional<std::string_view> next_line(std::string_view& rest) {
  const std::size_t end = rest.find("\r\n");
  if (end == rest.npos) return std::nullopt;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 2);
  return line;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// An authority without an empty port and without 80, which http has anyway; with several colons only behind brackets.
std::string_view host_of(std::string_view authority) {
  for (const std::string_view port : {":80", ":"}) {
    if (!authority.ends_with(port)) continue;
    const std::string_view host = authority.substr(0, authority.size() - port.size());
    if (host.ends_with(']') || host.find(':') == host.npos) return host;
  }
  return authority;
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::vector<std::string_view> PlainHead::values(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const PlainField& field : fields)
    if (same_word(field.name, name)) found.push_back(field.value);
  return found;
}

std::optional<PlainHead> read_plainly(std::string_view head) {
  PlainHead out;
  const auto first = next_line(head);
  if (!first) return std::nullopt;
  const std::size_t one = first->find(' '), two = first->rfind(' ');
  if (one == first->npos || one == two) return std::nullopt;
  out.method = first->substr(0, one);
  out.target = first->substr(one + 1, two - one - 1);
  out.version = first->substr(two + 1);
  if (!is_token(out.method) || out.target.empty() || !std::ranges::all_of(out.target, is_visible_ascii)) return std::nullopt;
  if (out.version != "HTTP/1.0" && out.version != "HTTP/1.1") return std::nullopt;
  for (;;) {
    const auto line = next_line(head);
    if (!line) return std::nullopt;
    if (line->empty()) break;
    const std::size_t colon = line->find(':');
    if (colon == line->npos || !is_token(line->substr(0, colon))) return std::nullopt;
    if (!std::ranges::all_of(*line, is_field_byte)) return std::nullopt;
    out.fields.push_back({line->substr(0, colon), trimmed(line->substr(colon + 1))});
  }
  if (!head.empty()) return std::nullopt;
  return out;
}

PlainFraming frame_plainly(const PlainHead& head) {
  const auto codings = head.values("transfer-encoding"), lengths = head.values("content-length");
  if (head.values("host").size() != 1) return {};
  if (!codings.empty()) {
    const bool right = codings.size() == 1 && same_word(codings[0], "chunked") && lengths.empty() && head.version == "HTTP/1.1";
    return {right ? PlainBody::chunked : PlainBody::refused, 0};
  }
  if (lengths.empty()) return {PlainBody::none, 0};
  if (lengths.size() > 1 || lengths[0].empty()) return {};
  std::uint64_t length = 0;
  for (const char c : lengths[0]) {
    if (c < '0' || c > '9') return {};
    if (__builtin_mul_overflow(length, 10u, &length)) return {};
    if (__builtin_add_overflow(length, static_cast<unsigned>(c - '0'), &length)) return {};
  }
  return {length == 0 ? PlainBody::none : PlainBody::sized, length};
}

std::optional<PlainTarget> target_plainly(const PlainHead& head) {
  if (head.target == "*" && head.method == "OPTIONS") return PlainTarget{head.target, {}};
  std::string_view rest = head.target;
  const bool absolute = same_word(rest.substr(0, 7), "http://");
  if (absolute) {
    rest.remove_prefix(7);
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    if (!same_word(host_of(authority), host_of(head.values("host")[0]))) return std::nullopt;
    rest.remove_prefix(authority.size());
  }
  if (!absolute && !rest.starts_with('/')) return std::nullopt;
  rest = rest.substr(0, rest.find('#'));
  const std::size_t mark = rest.find('?');
  const std::string_view path = rest.substr(0, mark);
  return PlainTarget{path.empty() ? "/" : path, mark == rest.npos ? std::string_view{} : rest.substr(mark + 1)};
}

}  // namespace sa::fuzz
