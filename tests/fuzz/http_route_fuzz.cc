// The input is a method, a blank and a path. Held: the route is the first whose segments are those of the path, one by one; its
// parameters are the segments that stand for them; Allow names the methods of all routes of the path.
#include <string>

#include "base/percent.h"
#include "fuzz_input.h"
#include "http/router.h"

namespace sa::fuzz {
namespace {

using Parts = std::vector<std::string_view>;

Parts parts_of(std::string_view path) {
  Parts parts;
  for (path.remove_prefix(1);;) {
    const std::size_t end = path.find('/');
    parts.push_back(path.substr(0, end));
    if (end == path.npos) return parts;
    path.remove_prefix(end + 1);
  }
}

bool fits(const Route& route, std::string_view path, Parts& parameters) {
  const Parts wanted = parts_of(route.pattern), given = parts_of(path);
  parameters.clear();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i >= given.size()) return false;
    if (wanted[i].ends_with("…}")) {
      parameters.push_back(path.substr(static_cast<std::size_t>(given[i].data() - path.data())));
      return true;
    }
    if (wanted[i].starts_with('{')) {
      parameters.push_back(given[i]);
    } else if (wanted[i] != given[i]) {
      return false;
    }
  }
  return wanted.size() == given.size();
}

const Router& router() {
  static const Router all([] {
    std::vector<Route> routes;
    for (const auto& [method, pattern] :
         {std::pair("GET", "/"), std::pair("GET", "/a"), std::pair("POST", "/a"), std::pair("GET", "/a/{x}"),
          std::pair("DELETE", "/a/{x}"), std::pair("GET", "/a/{x}/b"), std::pair("*", "/u/{rest…}"),
          std::pair("PUT", "/{x}/{y}/{z}"), std::pair("GET", "/u")})
      routes.push_back({.method = method, .pattern = pattern});
    return routes;
  }());
  return all;
}

void check(std::string_view method, std::string_view path) {
  Request request;
  request.method = method;
  request.path = path;
  const Router::Match match = router().find(request);
  const Route* expected = nullptr;
  std::string allow;
  Parts parameters;
  for (const Route& route : router().routes()) {
    Parts found;
    if (expected || !fits(route, path, found)) continue;
    if (route.method == "*" || route.method == (method == "HEAD" ? "GET" : method)) {
      expected = &route;
      parameters = found;
    } else {
      allow += (allow.empty() ? "" : ", ") + std::string(route.method) + (route.method == "GET" ? ", HEAD" : "");
    }
  }
  hold(match.route == expected, "the first route of the path and method is found");
  hold(match.allow == allow, "the other methods of the path are known");
  hold((match.any_method != nullptr) == (expected || !allow.empty()), "a path is known or not");
  if (!expected) return;
  hold(match.raw_parameters == parameters, "parameters are segments of the path");
  const auto decoded = match.decode_parameters(request);
  bool right = true;
  for (const std::string_view raw : parameters) right = right && percent_decode(raw);
  hold(decoded.has_value() == right, "a broken escape is refused");
  if (!decoded) return;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    hold(request.path_parameters.at(i) == percent_decode(parameters[i]), "a parameter is decoded once");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  const std::string_view input = text_of(data, size);
  const std::size_t blank = std::min(input.find(' '), input.size());
  const std::string_view path = input.substr(std::min(blank + 1, input.size()));
  if (!path.starts_with('/')) return -1;  // no other is handed over
  check(input.substr(0, blank), path);
  return 0;
}
