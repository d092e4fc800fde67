#include "http/application.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

Task<Result<Response>> say_ok(Request&) { co_return Response::text("ok"); }
Task<Result<Response>> say_no(Request&) { co_return fail(ErrorCode::conflict, "Taken."); }

Route row(std::string_view method, std::string_view pattern, Access access, Handler handler) {
  Route route;
  route.method = method;
  route.pattern = pattern;
  route.access = access;
  route.handler = std::move(handler);
  return route;
}

Application application() {
  GateSettings gate;
  gate.token = "t";
  gate.cors_origins = {"https://app.example"};
  Route json = row("POST", "/v1/things/{id}", Access::token, say_ok);
  json.body = RequestBody::json;
  json.produces = "application/json";
  json.body_limit = 77;
  Route asking = row("GET", "/asking", Access::open, say_ok);
  asking.query = {{.name = "path", .required = true, .help = ""},
                  {.name = "deep", .kind = QueryParameter::Kind::flag, .help = ""}};
  return {gate,
          {json, asking, row("GET", "/v1/things/{id}", Access::token, say_no), row("GET", "/open", Access::open, say_ok),
           row("*", "/v1/removed", Access::token, say_no)}};
}

struct Outcome {
  Response response;
  std::uint64_t limit = 0;
  std::uint64_t uses = 0;
  std::string body() const {
    const auto* text = std::get_if<std::string>(&response.body);
    return text ? *text : "";
  }
  bool is(std::string_view word) const {
    return body().find("urn:sandbox-agent:error:" + std::string(word) + "\"") != std::string::npos;
  }
};

Task<> run(Request& request, Outcome& outcome) {
  Application app = application();
  outcome.response = co_await app.answer(request, outcome.limit);
  outcome.uses = app.uses();
}

Outcome ask_query(std::string_view query) {
  Request request;
  request.method = "GET";
  request.path = "/asking";
  request.query = query;
  request.headers.push_back({"host", "localhost:2468"});
  Outcome outcome;
  spawn(run(request, outcome));
  return outcome;
}

Outcome ask(std::string_view method, std::string_view path, std::vector<Header> headers = {{"authorization", "Bearer t"}}) {
  Request request;
  request.method = method;
  request.path = path;
  request.headers = std::move(headers);
  request.headers.push_back({"host", "localhost:2468"});
  Outcome outcome;
  spawn(run(request, outcome));
  return outcome;
}

const Header token{"authorization", "Bearer t"};
const Header json_body{"content-type", "application/json"};

}  // namespace

TEST_CASE("a handler answers, and its error becomes a problem that names the path") {
  CHECK(ask("GET", "/open", {}).body() == "ok");
  const Outcome no = ask("GET", "/v1/things/1");
  CHECK(no.response.status == 409);
  CHECK(no.body().find(R"("instance":"/v1/things/1")") != std::string::npos);
}

TEST_CASE("an unknown path is not found, with or without a token") {
  const Outcome unknown = ask("GET", "/v1/nothing", {});
  CHECK(unknown.response.status == 404);
  CHECK(unknown.body().find(R"("resource":"route","id":"/v1/nothing")") != std::string::npos);
}

TEST_CASE("the token comes before everything else a guarded path would say") {
  CHECK(ask("POST", "/v1/things/1", {}).is("token_missing"));
  CHECK(ask("PATCH", "/v1/things/1", {}).is("token_missing"));
  CHECK(ask("GET", "/v1/removed", {{"authorization", "Token x"}}).is("token_invalid"));
}

TEST_CASE("who is let in to what needs the token uses the server, nobody else does") {
  CHECK(ask("GET", "/v1/things/1", {token}).uses == 1);
  CHECK(ask("GET", "/v1/things/1", {}).uses == 0);
  CHECK(ask("GET", "/open", {token}).uses == 0);
  CHECK(ask("GET", "/nowhere", {token}).uses == 0);
  CHECK(ask("OPTIONS", "/v1/things/1", {token}).uses == 0);
}

TEST_CASE("a wrong method is answered with those that fit") {
  const Outcome outcome = ask("PATCH", "/v1/things/1");
  CHECK(outcome.is("method_not_allowed"));
  CHECK(outcome.response.headers.find("allow: POST, GET, HEAD, OPTIONS\r\n") != std::string::npos);
}

TEST_CASE("a JSON route wants JSON and a client that takes JSON, in this order") {
  CHECK(ask("POST", "/v1/things/1", {token}).is("unsupported_media_type"));
  CHECK(ask("POST", "/v1/things/1", {token, {"accept", "text/html"}}).is("unsupported_media_type"));
  CHECK(ask("POST", "/v1/things/1", {token, json_body, {"accept", "text/html"}}).is("not_acceptable"));
  const Outcome fine = ask("POST", "/v1/things/1", {token, json_body, {"accept", "*/*"}});
  CHECK(fine.response.status == 200);
  CHECK(fine.limit == 77);
}

TEST_CASE("OPTIONS is answered before the token") {
  const Outcome outcome = ask("OPTIONS", "/v1/things/1", {});
  CHECK(outcome.response.status == 204);
  CHECK(outcome.response.headers.starts_with("allow: POST, GET, HEAD, OPTIONS\r\n"));
  CHECK(ask("OPTIONS", "/nowhere", {}).response.status == 404);
  CHECK(ask("OPTIONS", "/v1/removed", {}).response.status == 204);
}

TEST_CASE("a foreign origin is refused for every verb, OPTIONS and unknown paths included") {
  for (const char* method : {"GET", "POST", "OPTIONS", "DELETE"}) {
    for (const char* path : {"/open", "/v1/things/1", "/nowhere"}) {
      CHECK(ask(method, path, {token, {"origin", "https://evil.example"}}).is("forbidden"));
    }
  }
}

TEST_CASE("an allowed origin can read answers and problems alike") {
  for (const char* path : {"/open", "/v1/things/1", "/nowhere"}) {
    const Outcome outcome = ask("GET", path, {{"origin", "https://app.example"}});
    CHECK(outcome.response.headers.find("access-control-allow-origin: https://app.example\r\n") != std::string::npos);
  }
}

TEST_CASE("a malformed escape in the path is the caller's mistake") {
  CHECK(ask("GET", "/v1/things/%zz").is("invalid_request"));
}

TEST_CASE("a route's own query parameters are checked before its handler runs; unknown ones are ignored") {
  CHECK(ask_query("path=a").response.status == 200);
  CHECK(ask_query("deep=true&path=a&other=%zz").response.status == 200);
  for (const char* query : {"", "path=", "path=+", "deep=true", "path=%2", "path=a&deep=yes", "path=a&deep="}) {
    CAPTURE(query);
    const Outcome outcome = ask_query(query);
    CHECK(outcome.is("invalid_request"));
    CHECK(outcome.body().find("\"field\":") != std::string::npos);
  }
}

}  // namespace sa
