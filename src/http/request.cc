#include "http/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/percent.h"

namespace sa {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

Error malformed_parameter(std::string_view name, std::string_view why) {
  return Error{ErrorCode::invalid_request, fmt::format("The query parameter '{}' {}.", name, why), {}}.with_text("field", name);
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

void Request::clear() {
  std::vector<Header> fields = std::move(headers);
  fields.clear();
  *this = Request{};
  headers = std::move(fields);
}

std::string_view Request::header(std::string_view name) const {
  for (const Header& field : headers)
    if (equals_ignoring_case(field.name, name)) return field.value;
  return {};
}

std::string Request::list_header(std::string_view name) const {
  std::string list;
  for (const Header& field : headers) {
    if (!equals_ignoring_case(field.name, name)) continue;
    if (!list.empty()) list += ", ";
    list += field.value;
  }
  return list;
}

std::size_t Request::header_count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(headers, [&](const Header& field) { return equals_ignoring_case(field.name, name); }));
}

Result<std::optional<std::string>> Request::query_parameter(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const auto key = percent_decode(pair.substr(0, equals), true);
    if (!key || *key != name) continue;
    auto value = percent_decode(equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1), true);
    if (!value) return fail(malformed_parameter(name, "has a malformed percent escape; write each as % and two hex digits"));
    return value;
  }
  return std::nullopt;
}

Result<bool> Request::query_flag(std::string_view name) const {
  TRY(auto value, query_parameter(name));
  if (!value || *value == "false") return false;
  if (*value == "true") return true;
  return fail(malformed_parameter(name, "must be 'true' or 'false'"));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace sa
