#include "io/response_head.h"

#include <algorithm>
#include <charconv>

#include "io/lower_case.h"

namespace sa {
namespace {

constexpr std::string_view line_end = "\r\n";

std::unexpected<std::string> refuse(std::string reason) { return std::unexpected(std::move(reason)); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "HTTP/1.1 200 OK"; the phrase, and the blank before it, may be missing.
bool parse_status_line(std::string_view line, ResponseHead& head) {
  constexpr std::size_t shortest = std::string_view("HTTP/1.1 200").size();
  if (line.size() < shortest || !is_header_value(line)) return false;
  const std::string_view version = line.substr(0, 9);
  const std::string_view digits = line.substr(9, 3);
  if (version != "HTTP/1.1 " && version != "HTTP/1.0 ") return false;
  if (!std::ranges::all_of(digits, is_digit) || digits[0] < '1' || digits[0] > '5') return false;
  if (line.size() > shortest && line[shortest] != ' ') return false;
  head.is_http_1_1 = version == "HTTP/1.1 ";
  std::from_chars(digits.data(), digits.data() + digits.size(), head.status);
  return true;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::uint64_t> parse_length(std::string_view text) {
  std::uint64_t length = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, length);
  if (text.empty() || failed != std::errc() || stopped != end) return std::nullopt;
  return length;
}

}  // namespace

bool is_header_name(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  const auto allowed = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || marks.contains(c);
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_header_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; });
}

std::string_view ResponseHead::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, [](const auto& header) -> std::string_view { return header.first; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::size_t> find_head_end(std::string_view bytes) {
  constexpr std::string_view empty_line = "\r\n\r\n";
  const std::size_t at = bytes.find(empty_line);
  if (at == bytes.npos) return std::nullopt;
  return at + empty_line.size();
}

std::expected<ResponseHead, std::string> parse_response_head(std::string_view head) {
  ResponseHead parsed;
  bool is_first = true;
  for (;;) {
    const std::size_t end = head.find(line_end);
    if (end == head.npos) return refuse("its head does not end");
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + line_end.size());
    if (is_first) {
      if (!parse_status_line(line, parsed)) return refuse("it does not begin with an HTTP/1 status line");
      is_first = false;
      continue;
    }
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !is_header_name(line.substr(0, colon)) || !is_header_value(line.substr(colon + 1)))
      return refuse("one of its headers is malformed");
    parsed.headers.emplace_back(lower_case(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  if (!head.empty()) return refuse("its head ends too early");
  return parsed;
}

std::expected<BodyFraming, std::string> body_framing(const ResponseHead& head, std::string_view request_method) {
  std::optional<std::uint64_t> length;
  bool is_chunked = false;
  for (const auto& [name, value] : head.headers) {
    if (name == "content-length") {
      const auto number = parse_length(value);
      if (!number) return refuse("its Content-Length is not a number");
      if (length && *length != *number) return refuse("it says two different Content-Lengths");
      length = number;
    } else if (name == "transfer-encoding") {
      if (is_chunked || lower_case(value) != "chunked" || !head.is_http_1_1)
        return refuse("its Transfer-Encoding is not understood");
      is_chunked = true;
    }
  }
  if (length && is_chunked) return refuse("it says both Content-Length and Transfer-Encoding");
  using Kind = BodyFraming::Kind;
  constexpr int no_content = 204;
  constexpr int not_modified = 304;
  if (request_method == "HEAD" || head.status == no_content || head.status == not_modified) return BodyFraming{};
  if (is_chunked) return BodyFraming{Kind::chunked};
  if (length) return BodyFraming{Kind::length, *length};
  return BodyFraming{Kind::until_close};
}

}  // namespace sa
