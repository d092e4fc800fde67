// Who is let in: tables of Host, Origin and Authorization, and of paths that try to get around them. Each row says its answer.
#include <doctest/doctest.h>

#include "raw_exchange.h"

using namespace rig;

namespace {

struct Row {
  std::string value;
  const char* answer;
};

constexpr const char* forbidden = "403 forbidden";
constexpr const char* missing = "401 token_missing";
constexpr const char* wrong = "401 token_invalid";

// One request with exactly these fields; its answer in short.
Response ask(const Daemon& daemon, std::string_view method, std::string_view target, const Headers& headers) {
  Connection connection(daemon.port());
  connection.send(http_request(method, target, headers));
  return connection.read_response();
}

std::string at_its_port(const Daemon& daemon, const std::string& host) { return host + ":" + std::to_string(daemon.port()); }

}  // namespace

TEST_SUITE_BEGIN("security");

TEST_CASE("a loopback daemon answers to loopback names only, however another is dressed up") {
  const Daemon daemon;
  const auto port = std::to_string(daemon.port());
  const Row rows[] = {
      {"localhost:" + port, "200"},
      {"LocalHost:" + port, "200"},
      {"localhost", "200"},
      {"localhost:", "200"},
      {"localhost:1", "200"},  // a proxy or a forwarded port: the name decides
      {"app.localhost:" + port, "200"},
      {"127.0.0.1:" + port, "200"},
      {"127.255.255.254", "200"},
      {"[::1]:" + port, "200"},
      {"", forbidden},
      {"localhost.", forbidden},
      {"127.0.0.1.", forbidden},
      {".localhost", forbidden},
      {"xlocalhost", forbidden},
      {"localhost.evil.example", forbidden},
      {"127.0.0.1.evil.example:" + port, forbidden},
      {"7f000001.rebind.example:" + port, forbidden},
      {"evil.example:" + port, forbidden},
      {"127.1", forbidden},
      {"2130706433", forbidden},
      {"0x7f.0.0.1", forbidden},
      {"0177.0.0.1", forbidden},
      {"127.0.0.1:" + port + ":" + port, forbidden},
      {"127.0.0.1/24", forbidden},
      {"128.0.0.1", forbidden},
      {"0.0.0.0:" + port, forbidden},
      {"10.0.0.1:" + port, forbidden},
      {"169.254.169.254", forbidden},
      {"[::]:" + port, forbidden},
      {"[::ffff:127.0.0.1]:" + port, forbidden},
      {"[::1%25lo]", forbidden},
      {"[::1", forbidden},
      {"[::1]x", forbidden},
      {"[localhost", forbidden},
      {"user@localhost", forbidden},
      {"localhost@evil.example", forbidden},
      {"localhost:" + port + "@evil.example", forbidden},
      {"evil.example#localhost", forbidden},
      {"evil.example/localhost", forbidden},
      {"localhost/evil.example", forbidden},
      {"localhost, evil.example", forbidden},
      {"evil.example localhost", forbidden},
      {"localhost:80x", forbidden},
      {"localhost:-1", forbidden},
      {"localhost%00.evil.example", forbidden},
      {"http://localhost", forbidden},
      {"\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1", forbidden},  // full-width digits
      {"l\xc3\xb6"
       "calhost",
       forbidden},
  };
  for (const auto& [host, answer] : rows) {
    INFO(host);
    for (const char* target : {"/healthz", "/ui/"}) {
      CHECK_EQ(in_short(ask(daemon, "GET", target, {{"Host", host}})), answer);
    }
  }
}

TEST_CASE("no other field stands in for Host, and no allowed name lets in what is none") {
  const Daemon daemon({"--allow-host", "[", "--allow-host", "sandbox.example:8080"});
  for (const char* name : {"X-Forwarded-Host", "Forwarded", "X-Host", "X-Original-Host", "X-Forwarded-Server"}) {
    INFO(name);
    CHECK_EQ(in_short(ask(daemon, "GET", "/healthz", {{"Host", "evil.example"}, {name, "localhost"}})), forbidden);
  }
  const Row rows[] = {{"sandbox.example", "200"},
                      {"SANDBOX.example:1", "200"},
                      {"", forbidden},
                      {"evil.example:x", forbidden},
                      {"[", forbidden},
                      {"sandbox.example.", forbidden},
                      {"sandbox.example:x", forbidden}};
  for (const auto& [host, answer] : rows) {
    INFO(host);
    CHECK_EQ(in_short(ask(daemon, "GET", "/healthz", {{"Host", host}})), answer);
  }
}

TEST_CASE("a request from a web page of another origin is 403 before anything else, however that origin is dressed up") {
  const Daemon daemon;
  const auto host = at_its_port(daemon, "127.0.0.1");
  const Row rows[] = {
      {"http://" + host, "200"},
      {"https://" + host, "200"},  // behind a proxy that ends TLS
      {"null", forbidden},
      {"NULL", forbidden},
      {"", forbidden},
      {"*", forbidden},
      {host, forbidden},
      {"http://", forbidden},
      {"http://127.0.0.1", forbidden},
      {"http://127.0.0.1:1", forbidden},
      {"http://" + host + "0", forbidden},
      {"http://" + host + "/", forbidden},
      {"http://" + host + "/x", forbidden},
      {"http://" + host + ".evil.example", forbidden},
      {"http://" + host + "@evil.example", forbidden},
      {"http://evil.example@" + host, forbidden},
      {"http://evil.example#" + host, forbidden},
      {at_its_port(daemon, "http://localhost"), forbidden},
      {at_its_port(daemon, "http://127.0.0.2"), forbidden},
      {at_its_port(daemon, "http://evil.example"), forbidden},
      {"http://" + host + " http://evil.example", forbidden},
      {"http://evil.example, http://" + host, forbidden},
      {"file://", forbidden},
      {"file:///home/user/page.html", forbidden},
      {"data:text/html,x", forbidden},
      {"blob:null", forbidden},
      {"chrome-extension://abcdefghijklmnop", forbidden},
      {"vscode-webview://abc", forbidden},
      {"about:blank", forbidden},
  };
  for (const auto& [origin, answer] : rows) {
    INFO(origin);
    CHECK_EQ(in_short(ask(daemon, "GET", "/healthz", {{"Host", host}, {"Origin", origin}})), answer);
    if (answer != std::string_view("200")) {  // also with the token, and for what changes something
      const auto bearer = "Bearer " + daemon.token();
      for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
        CHECK_EQ(in_short(ask(daemon, method, "/v1/acp/x", {{"Host", host}, {"Origin", origin}, {"Authorization", bearer}})),
                 forbidden);
    }
  }
  CHECK_EQ(in_short(ask(daemon, "GET", "/healthz", {{"Host", host}, {"Origin", "http://" + host}, {"Origin", "null"}})),
           forbidden);
}

TEST_CASE("of other origins exactly those on the list are allowed, and null never") {
  const Daemon daemon({"-O", "https://app.example", "-O", "http://dev.example:8080"});
  const Row rows[] = {
      {"https://app.example", "200"},
      {"HTTPS://APP.example", "200"},
      {"http://dev.example:8080", "200"},
      {"http://app.example", forbidden},
      {"https://app.example:443", forbidden},  // a browser never writes the usual port
      {"https://app.example:8443", forbidden},
      {"https://app.example/", forbidden},
      {"https://app.example.evil.example", forbidden},
      {"https://evilapp.example", forbidden},
      {"https://sub.app.example", forbidden},
      {"https://app.example@evil.example", forbidden},
      {"http://dev.example", forbidden},
      {"null", forbidden},
  };
  for (const auto& [origin, answer] : rows) {
    INFO(origin);
    const auto response = ask(daemon, "GET", "/healthz", {{"Origin", origin}});
    CHECK_EQ(in_short(response), answer);
    CHECK_EQ(response.header("access-control-allow-origin"), answer == std::string_view("200") ? origin : "");
    CHECK_FALSE(response.has("access-control-allow-credentials"));
    const auto preflight =
        ask(daemon, "OPTIONS", "/v1/acp/x", {{"Origin", origin}, {"Access-Control-Request-Method", "DELETE"}});
    CHECK_EQ(in_short(preflight), answer == std::string_view("200") ? "204" : forbidden);
    CHECK_EQ(preflight.has("access-control-allow-methods"), answer == std::string_view("200"));
  }
}

TEST_CASE("with every origin allowed null is still refused, the token still needed, and no answer speaks for all") {
  const Daemon daemon({"-O", "*"});
  CHECK_EQ(in_short(ask(daemon, "GET", "/healthz", {{"Origin", "null"}})), forbidden);
  const auto response = ask(daemon, "GET", "/v1/health", {{"Origin", "https://any.example"}});
  CHECK_EQ(in_short(response), missing);
  CHECK_EQ(response.header("access-control-allow-origin"), "https://any.example");
  CHECK_EQ(response.header("vary"), "Origin");
  CHECK_FALSE(response.has("access-control-allow-credentials"));
  CHECK_EQ(ask(daemon, "GET", "/healthz", {}).header("vary"),
           "Origin");  // so that no cache gives one origin's answer to another
}

TEST_CASE("without a token a page of another origin gets nothing by pictures, frames and links") {
  const Daemon daemon(DaemonSetup{.flags = {"--no-token"}, .with_token = false});
  const Row rows[] = {{"cross-site", forbidden}, {"same-site", forbidden}, {"same-origin", "200"}, {"none", "200"}};
  for (const auto& [site, answer] : rows) {
    INFO(site);
    CHECK_EQ(in_short(ask(daemon, "GET", "/v1/health", {{"Sec-Fetch-Site", site}})), answer);
    CHECK_EQ(in_short(ask(daemon, "GET", "/v1/acp", {{"Sec-Fetch-Site", site}, {"Sec-Fetch-Mode", "no-cors"}})), answer);
    CHECK_EQ(in_short(ask(daemon, "GET", "/ui/", {{"Sec-Fetch-Site", site}})), "200");  // a link leads to the page
    CHECK_EQ(in_short(ask(daemon, "GET", "/healthz", {{"Sec-Fetch-Site", site}})), "200");
  }
  CHECK_EQ(in_short(ask(daemon, "GET", "/v1/agents?config=true&no_cache=true", {{"Sec-Fetch-Site", "cross-site"}})), forbidden);
}

TEST_CASE("the token is taken from one place, whole and exact") {
  const Daemon daemon;
  const auto& token = daemon.token();
  auto other_case = token;
  other_case[0] = 'T';
  const Row rows[] = {
      {"Bearer " + token, "200"},
      {"bEARER " + token, "200"},
      {"Token " + token, "200"},
      {"Bearer   " + token, "200"},
      {"Bearer " + token + "  ", "200"},  // blanks at the end of a field are no part of it
      {"", missing},
      {"Bearer", missing},
      {"Bearer ", missing},
      {"Bearer" + token, missing},
      {"Bearer:" + token, missing},
      {"Bearer\t" + token, "200"},
      {token, missing},
      {"Basic " + token, missing},
      {"Basic Og==", missing},
      {"Digest " + token, missing},
      {"Negotiate " + token, missing},
      {"Bearer x", wrong},
      {"Bearer null", wrong},
      {"Bearer undefined", wrong},
      {"Bearer *", wrong},
      {"Bearer " + token.substr(0, token.size() - 1), wrong},
      {"Bearer " + token.substr(0, 1), wrong},
      {"Bearer " + token + "x", wrong},
      {"Bearer " + token + token, wrong},
      {"Bearer " + token + " x", wrong},
      {"Bearer " + token + ",", wrong},
      {"Bearer x, Bearer " + token, wrong},
      {"Bearer \"" + token + "\"", wrong},
      {"Bearer " + other_case, wrong},
      {"Bearer \xc3\xa9", wrong},
      {"Bearer " + std::string(60'000, 'x'), wrong},
  };
  for (const auto& [authorization, answer] : rows) {
    INFO(authorization.substr(0, 100));
    CHECK_EQ(in_short(ask(daemon, "GET", "/v1/health", {{"Authorization", authorization}})), answer);
  }
}

TEST_CASE("a token in any other place is none") {
  const Daemon daemon;
  const auto& token = daemon.token();
  const std::string bearer = "Bearer " + token;
  for (const char* parameter : {"token", "access_token", "Authorization", "api_key", "key"}) {
    INFO(parameter);
    CHECK_EQ(in_short(ask(daemon, "GET", std::string("/v1/health?") + parameter + "=" + token, {})), missing);
  }
  const std::pair<const char*, std::string> fields[] = {{"Cookie", "token=" + token},
                                                        {"Cookie", "Authorization=" + bearer},
                                                        {"X-Api-Key", token},
                                                        {"X-Auth-Token", token},
                                                        {"Proxy-Authorization", bearer},
                                                        {"X-Authorization", bearer},
                                                        {"Token", token},
                                                        {"Sec-WebSocket-Protocol", bearer},
                                                        {"X-Forwarded-For", "127.0.0.1"},
                                                        {"X-Real-Ip", "127.0.0.1"}};
  for (const auto& [name, value] : fields) {
    INFO(name);
    CHECK_EQ(in_short(ask(daemon, "GET", "/v1/health", {{name, value}})), missing);
  }
  CHECK_EQ(in_short(ask(daemon, "GET", "http://:" + token + "@localhost/v1/health", {})), "400 invalid_request");
  CHECK_EQ(in_short(ask(daemon, "GET", "/v1/health", {{"Authorization", "Bearer x"}, {"Authorization", bearer}})), wrong);
}

TEST_CASE("no spelling of a path, no method and no field leads around the token") {
  const Daemon daemon;
  const Row rows[] = {
      {"/v1/health", missing},
      {"/v1/health?", missing},
      {"/v1/health#x", missing},
      {"/v1/health?x=/healthz", missing},
      {"http://localhost/v1/health", missing},
      {"/v1/acp/..%2f..%2fhealthz", missing},
      {"/v1/acp/%2e%2e", missing},
      {"/v1/acp/healthz", missing},
      {"/v1/rpc", missing},
      {"/v1/sessions/../../healthz", missing},
      {"/v1/health/", "404 not_found"},
      {"/v1/health/../health", "404 not_found"},
      {"/v1//health", "404 not_found"},
      {"//v1/health", "404 not_found"},
      {"/./v1/health", "404 not_found"},
      {"/healthz/../v1/health", "404 not_found"},
      {"/V1/health", "404 not_found"},
      {"/v1/HEALTH", "404 not_found"},
      {"/v1/%68ealth", "404 not_found"},
      {"/%76%31/health", "404 not_found"},
      {"/v1%2fhealth", "404 not_found"},
      {"/v1%252fhealth", "404 not_found"},
      {"/v1\\health", "404 not_found"},
      {"/v1/health;x", "404 not_found"},
      {"/v1/health%00", "404 not_found"},
      {"/v1/health%20", "404 not_found"},
      {"/v1/health.json", "404 not_found"},
      {"/ui/../v1/health", "404 not_found"},
      {"/ui/%2e%2e/v1/health", "404 not_found"},
      {"/ui/..%2f..%2f..%2fetc%2fpasswd", "404 not_found"},
      {"/ui/assets/../../../etc/passwd", "404 not_found"},
      {"/ui//etc/passwd", "404 not_found"},
      {"/ui/%00.js", "404 not_found"},
  };
  for (const auto& [target, answer] : rows) {
    INFO(target);
    const auto response = ask(daemon, "GET", target, {});
    CHECK_EQ(response.body.find("root:"), std::string::npos);
    if (target.starts_with("/ui/")) {
      CHECK((in_short(response) == answer || in_short(response) == "400 invalid_request" ||
             response.header("content-type").starts_with("text/html")));  // a place within the page is the page
      CHECK_EQ(response.body.find("uptimeMs"), std::string::npos);
      continue;
    }
    CHECK_EQ(in_short(response), answer);
  }
  for (const char* method : {"get", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "X"}) {
    INFO(method);
    CHECK_EQ(in_short(ask(daemon, method, "/v1/status", {})), missing);
  }
  for (const char* name : {"X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "X-Forwarded-Prefix"}) {
    INFO(name);
    CHECK_EQ(in_short(ask(daemon, "GET", "/v1/status", {{name, "/healthz"}})), missing);
    const auto around = ask(daemon, "GET", "/healthz", {{name, "/v1/status"}});
    CHECK_EQ(around.body, "ok");
  }
}

TEST_CASE("without the token nobody learns what there is") {
  const Daemon daemon;
  REQUIRE_EQ(Acp(daemon, "there").call("echo").status, 200);
  for (const char* path : {"/v1/acp/", "/v1/agents/"}) {
    const auto known = ask(daemon, "GET", path + std::string(path == std::string("/v1/acp/") ? "there" : "fake"), {});
    const auto unknown = ask(daemon, "GET", path + std::string("nowhere"), {});
    CHECK_EQ(in_short(known), missing);
    CHECK_EQ(text_at(known.body, "detail"), text_at(unknown.body, "detail"));
    CHECK_EQ(in_short(unknown), missing);
  }
  CHECK_EQ(ask(daemon, "GET", "/healthz", {}).body, "ok");
}

TEST_SUITE_END();
