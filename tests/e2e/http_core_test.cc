#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("http");

TEST_CASE("GET / introduces the daemon") {
  Daemon daemon;
  const auto response = Api(daemon).get("/", {{"Authorization", ""}});
  CHECK_EQ(response.status, 200);
  CHECK(response.header("content-type").starts_with("application/json"));
  CHECK_EQ(text_at(response.body, "name"), "Sandbox Agent");
  CHECK_EQ(text_at(response.body, "ui"), "/ui/");
  CHECK_NE(text_at(response.body, "version"), "");
  CHECK_NE(text_at(response.body, "docs"), "");
}

TEST_CASE("a browser that asks for / is sent to the inspector") {
  Daemon daemon;
  Api api(daemon);
  const auto browser = api.get("/", {{"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}});
  CHECK_GE(browser.status, 301);
  CHECK_LE(browser.status, 308);
  CHECK_EQ(browser.header("location"), "/ui/");
  CHECK_EQ(api.get("/", {{"Accept", "*/*"}}).status, 200);
  CHECK_EQ(api.get("/", {{"Accept", "application/json, text/html;q=0.5"}}).status, 200);
}

TEST_CASE("health says ok, the version and how long the daemon runs") {
  Daemon daemon;
  const auto response = Api(daemon).get("/v1/health");
  CHECK_EQ(response.status, 200);
  CHECK(response.header("content-type").starts_with("application/json"));
  CHECK_EQ(text_at(response.body, "status"), "ok");
  CHECK_NE(text_at(response.body, "version"), "");
  CHECK_GE(number_at(response.body, "uptimeMs"), 0);
}

TEST_CASE("the probe answers ok without a token and reveals nothing") {
  Daemon daemon;
  Connection connection(daemon.port());
  connection.send(http_request("GET", "/healthz"));
  const auto response = connection.read_response();
  CHECK_EQ(response.status, 200);
  CHECK_EQ(response.body, "ok");
}

TEST_CASE("HEAD works on every GET route and sends no body") {
  Daemon daemon;
  Acp acp(daemon, "headed");
  REQUIRE_EQ(acp.call("echo").status, 200);
  for (const std::string path : {"/", "/healthz", "/v1/health", "/v1/acp", "/v1/acp/headed/stderr"}) {
    INFO(path);
    const auto full = acp.get(path);
    Connection connection = acp.begin("HEAD", path);
    const auto head = connection.read_response(true);
    CHECK_EQ(head.status, full.status);
    CHECK_EQ(head.header("content-type"), full.header("content-type"));
    connection.send(http_request("GET", "/healthz"));
    CHECK_EQ(connection.read_response().body, "ok");
  }
}

TEST_CASE("an unknown path is a 404 problem, with or without a token") {
  Daemon daemon;
  Api api(daemon);
  for (const std::string path : {"/nope", "/v1", "/v1/nope", "/v1/acp/x/y/z", "/opencode/session", "/v1/health/"}) {
    INFO(path);
    CHECK_EQ(problem_of(api.get(path)), "404 not_found");
    CHECK_EQ(problem_of(api.get(path, {{"Authorization", ""}})), "404 not_found");
  }
}

TEST_CASE("a wrong method is a 405 problem that lists the right ones") {
  Daemon daemon;
  Api api(daemon);
  const auto health = api.request("POST", "/v1/health");
  CHECK_EQ(problem_of(health), "405 method_not_allowed");
  CHECK_NE(health.header("allow").find("GET"), std::string::npos);
  CHECK_NE(health.header("allow").find("HEAD"), std::string::npos);
  const auto acp = api.request("PUT", "/v1/acp/x");
  CHECK_EQ(problem_of(acp), "405 method_not_allowed");
  for (const char* method : {"GET", "POST", "DELETE"}) CHECK_NE(acp.header("allow").find(method), std::string::npos);
  CHECK_EQ(problem_of(api.request("BREW", "/v1/health")), "405 method_not_allowed");
}

TEST_CASE("removed routes are 410 and name their replacement, behind the token") {
  Daemon daemon;
  Api api(daemon);
  for (const std::string path : {"/v1/rpc", "/v1/sessions", "/v1/sessions/abc", "/v1/sessions/abc/events"}) {
    INFO(path);
    for (const char* method : {"GET", "POST", "DELETE"}) {
      const auto response = api.request(method, path);
      CHECK_EQ(problem_of(response), "410 removed");
      CHECK_NE(text_at(response.body, "replacement"), "");
    }
    CHECK_EQ(problem_of(api.get(path, {{"Authorization", ""}})), "401 token_missing");
  }
}

TEST_CASE("a server id is percent-decoded and may be any printable UTF-8") {
  Daemon daemon;
  for (const std::string id : {"a/b", "..", "a b?c#d", "grüße-\xf0\x9f\x98\x80", "100%", "+"}) {
    INFO(id);
    Acp acp(daemon, id);
    CHECK_EQ(acp.call("echo").status, 200);
    CHECK_EQ(acp.listing().at("serverId").as_string(), id);
    CHECK_EQ(acp.remove().status, 204);
  }
  Acp longest(daemon, std::string(256, 'i'));
  CHECK_EQ(longest.call("echo").status, 200);
}

TEST_CASE("a server id that is malformed, too long or has control characters is a 400 problem") {
  Daemon daemon;
  Api api(daemon);
  for (const std::string id : {"%zz", "%2", "%", "%00", "%0A", "a%1Fb", "%7F", "%FF", "%C3%28", "%ED%A0%80"}) {
    INFO(id);
    for (const char* method : {"POST", "GET", "DELETE"}) {
      const auto response = api.request(method, "/v1/acp/" + id + "?agent=fake", {{"Content-Type", "application/json"}},
                                        std::string(method) == "POST" ? rpc_request("1", "echo") : "");
      CHECK_EQ(problem_of(response), "400 invalid_request");
    }
  }
  CHECK_EQ(problem_of(api.get("/v1/acp/" + std::string(257, 'i'))), "400 invalid_request");
  CHECK(api.servers().empty());
}

TEST_CASE("unknown query parameters are ignored") {
  Daemon daemon;
  Api api(daemon);
  CHECK_EQ(api.get("/v1/health?color=blue&&x=%41").status, 200);
  const auto response =
      api.request("POST", "/v1/acp/x?color=blue&agent=fake", {{"Content-Type", "application/json"}}, rpc_request("1", "echo"));
  CHECK_EQ(response.status, 200);
}

TEST_SUITE_END();
