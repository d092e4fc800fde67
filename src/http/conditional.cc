#include "http/conditional.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "http/http_date.h"

namespace sa {
namespace {

// Cuts the first entity tag off a list; empty when there is none or it is malformed.
std::string_view cut_etag(std::string_view& list) {
  list.remove_prefix(std::min(list.find_first_not_of(" \t,"), list.size()));
  const std::size_t open = list.starts_with("W/") ? 2 : 0;
  if (open >= list.size() || list[open] != '"') return {};
  const std::size_t close = list.find('"', open + 1);
  if (close == std::string_view::npos) return {};
  const std::string_view tag = list.substr(0, close + 1);
  list.remove_prefix(close + 1);
  return tag;
}

// Digits only; a number too large for us is larger than any file.
std::optional<std::uint64_t> parse_position(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc::result_out_of_range ? UINT64_MAX : value;
}

PartWanted last_bytes(std::uint64_t count, std::uint64_t size) {
  const std::uint64_t length = std::min(count, size);
  if (length == 0) return {PartWanted::Kind::nothing};
  return {PartWanted::Kind::part, size - length, length};
}

PartWanted parse_range(std::string_view range, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  if (!equals_ignoring_case(range.substr(0, unit.size()), unit)) return {};
  range = trimmed(range.substr(unit.size()));
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view from = trimmed(range.substr(0, dash));
  const std::string_view to = trimmed(range.substr(dash + 1));
  const auto first = parse_position(from);
  const auto last = parse_position(to);
  if (from.empty() && last) return last_bytes(*last, size);
  if (!first || (!to.empty() && !last) || (last && *last < *first)) return {};
  if (*first >= size) return {PartWanted::Kind::nothing};
  const std::uint64_t end = last ? std::min(*last, size - 1) : size - 1;
  return {PartWanted::Kind::part, *first, end - *first + 1};
}

bool is_this_version(std::string_view if_range, const Version& version) {
  if (if_range.find('"') != std::string_view::npos) return if_range == version.etag;
  return version.settled && parse_http_date(if_range) == version.modified;
}

}  // namespace

bool lists_etag(std::string_view list, std::string_view etag, Comparison comparison) {
  if (trimmed(list) == "*") return true;
  for (std::string_view tag = cut_etag(list); !tag.empty(); tag = cut_etag(list)) {
    if (tag == etag) return true;
    if (comparison == Comparison::weak && tag.starts_with("W/") && tag.substr(2) == etag) return true;
  }
  return false;
}

bool is_unchanged(const Request& request, const Version& version) {
  if (request.header_count("if-none-match") > 0)
    return lists_etag(request.list_header("if-none-match"), version.etag, Comparison::weak);
  const auto since = parse_http_date(request.header("if-modified-since"));
  return since && version.settled && version.modified <= *since;
}

bool is_version_meant(const Request& request, const Version& version) {
  if (request.header_count("if-match") > 0)
    return lists_etag(request.list_header("if-match"), version.etag, Comparison::strong);
  const auto since = parse_http_date(request.header("if-unmodified-since"));
  return !since || version.modified <= *since;
}

PartWanted part_wanted(const Request& request, const Version& version, std::uint64_t size) {
  if (request.header_count("range") != 1) return {};
  if (request.header_count("if-range") > 0 && !is_this_version(request.header("if-range"), version)) return {};
  return parse_range(request.header("range"), size);
}

}  // namespace sa
