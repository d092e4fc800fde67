#include "http/router.h"

#include "base/percent.h"

namespace sa {
namespace {

std::string_view next_segment(std::string_view& rest) {
  rest.remove_prefix(1);  // the slash
  const std::string_view segment = rest.substr(0, rest.find('/'));
  rest.remove_prefix(segment.size());
  return segment;
}

bool matches(std::string_view pattern, std::string_view path, std::vector<std::string_view>& raw) {
  raw.clear();
  while (!pattern.empty() && !path.empty()) {
    std::string_view path_rest = path;
    const std::string_view wanted = next_segment(pattern);
    const std::string_view got = next_segment(path_rest);
    if (wanted.ends_with("…}")) {
      raw.push_back(path.substr(1));
      return true;
    }
    if (wanted.starts_with('{')) {
      raw.push_back(got);
    } else if (wanted != got) {
      return false;
    }
    path = path_rest;
  }
  return pattern.empty() && path.empty();
}

void add_method(std::string& allow, std::string_view method) {
  if (!allow.empty()) allow += ", ";
  allow += method;
  if (method == "GET") allow += ", HEAD";
}

}  // namespace

Router::Match Router::find(const Request& request) const {
  const std::string_view method = request.method == "HEAD" ? "GET" : request.method;
  Match match;
  std::vector<std::string_view> raw;
  for (const Route& route : routes_) {
    if (!matches(route.pattern, request.path, raw)) continue;
    if (!match.any_method) match.any_method = &route;
    if (route.method == "*" || route.method == method) {
      match.route = &route;
      match.raw_parameters = std::move(raw);
      break;
    }
    add_method(match.allow, route.method);
  }
  return match;
}

Result<void> Router::Match::decode_parameters(Request& request) const {
  for (std::string_view segment : raw_parameters) {
    auto decoded = percent_decode(segment);
    if (!decoded)
      return fail(ErrorCode::invalid_request, "The path has a malformed percent escape; write each as % and two hex digits.");
    request.path_parameters.push_back(std::move(*decoded));
  }
  return {};
}

}  // namespace sa
