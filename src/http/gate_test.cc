#include "http/gate.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

using Strings = std::vector<std::string>;

GateSettings bound_to(std::string host, Strings allow_hosts = {}, Strings origins = {}) {
  GateSettings settings;
  settings.bind_host = std::move(host);
  settings.allow_hosts = std::move(allow_hosts);
  settings.cors_origins = std::move(origins);
  return settings;
}

Request from(std::string_view host, std::optional<std::string_view> origin = {}) {
  Request request;
  request.headers = {{"Host", host}};
  if (origin) request.headers.push_back({"Origin", *origin});
  return request;
}

bool lets_in(const Gate& gate, const Request& request) {
  const auto result = gate.check_source(request);
  if (!result) CHECK(result.error().code == ErrorCode::forbidden);
  return result.has_value();
}

Request with_authorization(std::string_view value) {
  Request request;
  request.headers = {{"authorization", value}};
  return request;
}

}  // namespace

TEST_CASE("loopback names are recognised, look-alikes are not") {
  for (const char* host : {"localhost", "LocalHost", "127.0.0.1", "127.255.1.2", "::1", "a.localhost", "A.LOCALHOST"}) {
    CAPTURE(host);
    CHECK(is_loopback_host(host));
  }
  for (const char* host : {"", "128.0.0.1", "127.0.0.1.evil.com", "127.1", "0.0.0.0", "localhost.evil.com", "notlocalhost",
                           ".localhost", "::2", "[::1]", "2130706433"}) {
    CAPTURE(host);
    CHECK_FALSE(is_loopback_host(host));
  }
}

TEST_CASE("on a loopback bind the host must be a loopback name or an allowed one") {
  const Gate gate(bound_to("127.0.0.1", {"box.internal", "[fd00::7]", "withport:8080"}));
  for (const char* host : {"127.0.0.1", "127.0.0.1:2468", "localhost:1", "[::1]:2468", "[::1]", "x.localhost:80",
                           "box.internal", "BOX.internal:99", "[fd00::7]:5", "withport", "withport:1"}) {
    CAPTURE(host);
    CHECK(lets_in(gate, from(host)));
  }
  for (const char* host : {"", "evil.com", "evil.com:2468", "box.internal.evil.com", "192.168.0.1", "[fd00::8]", "[::1",
                           "localhost:80:80", "127.0.0.1@evil.com", "box.internal@evil.com"}) {
    CAPTURE(host);
    CHECK_FALSE(lets_in(gate, from(host)));
  }
}

TEST_CASE("on another bind the host is checked only when allowed hosts are given") {
  CHECK(lets_in(Gate(bound_to("0.0.0.0")), from("anything.example")));
  CHECK(lets_in(Gate(bound_to("192.168.0.5")), from("anything.example")));
  const Gate strict(bound_to("192.168.0.5", {"box.example"}));
  CHECK(lets_in(strict, from("box.example")));
  CHECK(lets_in(strict, from("192.168.0.5:2468")));
  CHECK(lets_in(strict, from("localhost")));
  CHECK_FALSE(lets_in(strict, from("other.example")));
}

TEST_CASE("an origin must be the host itself, its port included") {
  const Gate gate(bound_to("0.0.0.0"));
  const struct {
    const char* host;
    const char* origin;
    bool allowed;
  } cases[] = {
      {"box:2468", "http://box:2468", true},
      {"BOX:2468", "http://box:2468", true},
      {"box", "http://box", true},
      {"box:80", "http://box", true},
      {"box", "http://box:80", true},
      {"box", "https://box", true},
      {"box:443", "https://box", true},
      {"box", "https://box:443", true},
      {"[::1]:2468", "http://[::1]:2468", true},
      {"box:2468", "http://box", false},
      {"box", "http://box:2468", false},
      {"box:80", "https://box", false},
      {"box:443", "http://box", false},
      {"box:2468", "http://evil:2468", false},
      {"box", "http://box.evil.com", false},
      {"box", "null", false},
      {"box", "", false},
      {"box", "box", false},
      {"box", "http://box@evil.com", false},
      {"[::1]:2468", "http://[::2]:2468", false},
      {"box", "http://", false},
  };
  for (const auto& [host, origin, allowed] : cases) {
    CAPTURE(host);
    CAPTURE(origin);
    CHECK(lets_in(gate, from(host, origin)) == allowed);
  }
}

TEST_CASE("an origin and a host that name nobody are not the same") {
  const Gate gate(bound_to("0.0.0.0"));
  CHECK_FALSE(lets_in(gate, from("[", "http://[")));
  CHECK_FALSE(lets_in(gate, from("a:b", "http://c:d")));
  CHECK_FALSE(lets_in(gate, from("", "http://")));
}

TEST_CASE("two origins are one too many, whatever they say") {
  Request twice = from("box", "http://box");
  twice.headers.push_back({"origin", "http://box"});
  CHECK_FALSE(lets_in(Gate(bound_to("0.0.0.0")), twice));
}

TEST_CASE("a foreign origin is let in when it is on the list, null never") {
  const Gate listed(bound_to("127.0.0.1", {}, {"https://app.example", "http://other:1"}));
  CHECK(lets_in(listed, from("localhost:2468", "https://app.example")));
  CHECK(lets_in(listed, from("localhost:2468", "HTTPS://APP.example")));
  CHECK(lets_in(listed, from("localhost:2468", "http://other:1")));
  CHECK_FALSE(lets_in(listed, from("localhost:2468", "http://app.example")));
  CHECK_FALSE(lets_in(listed, from("localhost:2468", "https://app.example:444")));
  CHECK_FALSE(lets_in(listed, from("localhost:2468", "null")));
  CHECK_FALSE(lets_in(listed, from("evil.com", "https://app.example")));

  const Gate any(bound_to("127.0.0.1", {}, {"*"}));
  CHECK(lets_in(any, from("localhost:2468", "https://whoever.example")));
  CHECK_FALSE(lets_in(any, from("localhost:2468", "null")));
  CHECK_FALSE(lets_in(any, from("localhost:2468", "")));
}

TEST_CASE("without a token everybody may come") { CHECK(Gate(GateSettings{}).check_token(Request{}).has_value()); }

TEST_CASE("without a token a page of another origin must name itself, unless every origin may come") {
  const auto answer = [](std::vector<Header> headers, Strings origins = {}) -> std::string_view {
    Request request;
    request.headers = std::move(headers);
    const auto result = Gate(bound_to("127.0.0.1", {}, std::move(origins))).check_token(request);
    return result ? "let in" : result.error().code == ErrorCode::forbidden ? "forbidden" : "another error";
  };
  for (const char* site : {"cross-site", "same-site"}) {
    CAPTURE(site);
    CHECK(answer({{"Sec-Fetch-Site", site}}) == "forbidden");
    CHECK(answer({{"Sec-Fetch-Site", site}}, {"https://app.example"}) == "forbidden");
    CHECK(answer({{"Sec-Fetch-Site", site}, {"Origin", "https://app.example"}}, {"https://app.example"}) == "let in");
    CHECK(answer({{"Sec-Fetch-Site", site}}, {"*"}) == "let in");
  }
  for (const char* site : {"none", "same-origin", ""}) {
    CAPTURE(site);
    CHECK(answer({{"Sec-Fetch-Site", site}}) == "let in");
  }
  CHECK(answer({{"Sec-Fetch-Mode", "cors"}}) == "let in");  // of Node.js, which is no browser
}

TEST_CASE("the token is taken after Bearer or Token in any case, and must be the whole token") {
  GateSettings settings;
  settings.token = "s3cret";
  const Gate gate(settings);
  for (const char* value :
       {"Bearer s3cret", "bearer s3cret", "TOKEN s3cret", "Token   s3cret", "Bearer\ts3cret", "Bearer \t s3cret"}) {
    CAPTURE(value);
    CHECK(gate.check_token(with_authorization(value)).has_value());
  }
  for (const char* value : {"", "s3cret", "Bearer", "Basic s3cret", "Bearers3cret", "BearerX s3cret"}) {
    CAPTURE(value);
    const auto result = gate.check_token(with_authorization(value));
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::token_missing);
  }
  for (const char* value :
       {"Bearer S3cret", "Bearer s3cre", "Bearer s3cret2", "Bearer s3crets3cret", "Bearer wrong", "Bearer s3cret x"}) {
    CAPTURE(value);
    const auto result = gate.check_token(with_authorization(value));
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::token_invalid);
  }
  CHECK(gate.check_token(Request{}).error().code == ErrorCode::token_missing);
}

TEST_CASE("a preflight lists methods and headers for an allowed origin only") {
  GateSettings settings = bound_to("127.0.0.1", {}, {"https://app.example"});
  const Gate gate(settings);
  Request request = from("localhost", "https://app.example");
  request.headers.push_back({"Access-Control-Request-Method", "POST"});
  const Response allowed = gate.preflight(request, "GET, HEAD");
  CHECK(allowed.status == 204);
  CHECK(allowed.headers.starts_with("allow: GET, HEAD\r\n"));
  for (const char* name :
       {"Authorization", "Content-Type", "Last-Event-ID", "Accept", "Prefer", "If-Match", "If-None-Match", "Range"}) {
    CAPTURE(name);
    CHECK(allowed.headers.find(name, allowed.headers.find("access-control-allow-headers: ")) != std::string::npos);
  }
  CHECK(allowed.headers.find("access-control-allow-methods: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n") != std::string::npos);

  CHECK(Gate(bound_to("127.0.0.1")).preflight(request, "GET").headers == "allow: GET\r\n");
  CHECK(gate.preflight(from("localhost", "https://app.example"), "GET").headers == "allow: GET\r\n");

  settings.cors_methods = {"GET", "PATCH"};
  settings.cors_headers = {"X-One"};
  const Response own = Gate(settings).preflight(request, "GET");
  CHECK(own.headers.find("access-control-allow-methods: GET, PATCH\r\n") != std::string::npos);
  CHECK(own.headers.find(", Range, Acp-Instance-Id, X-One\r\n") != std::string::npos);
}

TEST_CASE("answers carry CORS headers only when CORS is on, and the origin only when it is allowed") {
  const auto headers = [](const GateSettings& settings, std::string_view origin) {
    Response response;
    Gate(settings).add_cors(from("localhost", origin), response);
    return response.headers;
  };
  GateSettings settings = bound_to("127.0.0.1", {}, {"https://app.example"});
  CHECK(headers(bound_to("127.0.0.1"), "https://app.example").empty());
  CHECK(headers(settings, "https://evil.example") == "vary: Origin\r\n");
  const std::string expected =
      "vary: Origin\r\naccess-control-allow-origin: https://app.example\r\naccess-control-expose-headers: Acp-Event-Id, "
      "Acp-Instance-Id, Preference-Applied, Retry-After, ETag, Content-Range\r\n";
  CHECK(headers(settings, "https://app.example") == expected);
  settings.cors_credentials = true;
  CHECK(headers(settings, "https://app.example") == expected + "access-control-allow-credentials: true\r\n");
}

}  // namespace sa
