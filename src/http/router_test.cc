#include "http/router.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

using Parameters = std::vector<std::string>;

Route row(std::string_view method, std::string_view pattern, std::string_view operation) {
  Route route;
  route.method = method;
  route.pattern = pattern;
  route.operation = operation;
  return route;
}

const Router& router() {
  static const Router routes({
      row("GET", "/", "root"),
      row("GET", "/v1/acp", "list"),
      row("GET", "/v1/acp/{id}", "read"),
      row("POST", "/v1/acp/{id}", "post"),
      row("DELETE", "/v1/acp/{id}", "delete"),
      row("GET", "/v1/acp/{id}/stderr", "stderr"),
      row("*", "/v1/sessions/{rest…}", "removed"),
      row("GET", "/v1/{kind}/{id}/{part}", "parts"),
      row("GET", "/ui/{path…}", "ui"),
  });
  return routes;
}

struct Found {
  std::string operation;
  Parameters parameters;
  std::string allow;
  bool path_known = false;
};

Found find(std::string_view method, std::string_view path) {
  Request request;
  request.method = method;
  request.path = path;
  const auto match = router().find(request);
  REQUIRE(match.decode_parameters(request).has_value());
  return {std::string(match.route ? match.route->operation : ""), request.path_parameters, match.allow,
          match.any_method != nullptr};
}

}  // namespace

TEST_CASE("a path finds its row by method and segments") {
  CHECK(find("GET", "/").operation == "root");
  CHECK(find("GET", "/v1/acp").operation == "list");
  CHECK(find("POST", "/v1/acp/x").operation == "post");
  CHECK(find("DELETE", "/v1/acp/x").operation == "delete");
  CHECK(find("GET", "/v1/acp/x/stderr").operation == "stderr");
}

TEST_CASE("a HEAD request finds the row of GET") { CHECK(find("HEAD", "/v1/acp/x").operation == "read"); }

TEST_CASE("an earlier row wins over a later one that also fits") {
  CHECK(find("GET", "/v1/acp/a/stderr").operation == "stderr");
  CHECK(find("GET", "/v1/acp/a/other").operation == "parts");
}

TEST_CASE("parameters are decoded one by one, an escaped slash does not split") {
  CHECK(find("GET", "/v1/acp/a%2Fb%20c").parameters == Parameters{"a/b c"});
  CHECK(find("GET", "/v1/acp/a+b").parameters == Parameters{"a+b"});
  CHECK(find("GET", "/v1/x/y/z").parameters == Parameters{"x", "y", "z"});
  CHECK(find("GET", "/v1/acp/").parameters == Parameters{""});
}

TEST_CASE("a row whose method does not fit leaves no parameters behind") {
  CHECK(find("DELETE", "/v1/acp/x").parameters == Parameters{"x"});
  CHECK(find("PATCH", "/v1/acp/x").parameters.empty());
}

TEST_CASE("a wildcard takes the rest of the path, also an empty one, but not the folder itself") {
  CHECK(find("GET", "/ui/a/b.js").parameters == Parameters{"a/b.js"});
  CHECK(find("GET", "/ui/").parameters == Parameters{""});
  CHECK(find("GET", "/ui/a%2Fb").parameters == Parameters{"a/b"});
  CHECK_FALSE(find("GET", "/ui").path_known);
}

TEST_CASE("a row of every method takes every method") {
  for (const char* method : {"GET", "HEAD", "POST", "DELETE", "OPTIONS", "BREW"})
    CHECK(find(method, "/v1/sessions/a/b").operation == "removed");
}

TEST_CASE("an unknown path has no row and nothing to allow") {
  for (const char* path : {"/v1", "/v1/", "/v2/acp", "/v1/acp/x/stderr/", "/v1/ACP", "//", "/v1//acp", "/v1/acpx"}) {
    CAPTURE(path);
    const Found found = find("GET", path);
    CHECK(found.operation.empty());
    CHECK_FALSE(found.path_known);
    CHECK(found.allow.empty());
  }
}

TEST_CASE("a known path with another method names the methods it has") {
  const Found found = find("PUT", "/v1/acp/x");
  CHECK(found.operation.empty());
  CHECK(found.path_known);
  CHECK(found.allow == "GET, HEAD, POST, DELETE");
  CHECK(find("POST", "/").allow == "GET, HEAD");
}

TEST_CASE("a malformed escape in a parameter is the caller's mistake") {
  for (const char* path : {"/v1/acp/%", "/v1/acp/%zz", "/v1/acp/a%2", "/ui/a/%g0"}) {
    CAPTURE(path);
    Request request;
    request.method = "GET";
    request.path = path;
    const auto decoded = router().find(request).decode_parameters(request);
    REQUIRE_FALSE(decoded.has_value());
    CHECK(decoded.error().code == ErrorCode::invalid_request);
  }
}

}  // namespace sa
