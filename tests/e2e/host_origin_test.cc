#include <doctest/doctest.h>

#include "command_run.h"
#include "support/acp.h"

using namespace rig;

namespace {

Response ask(const Daemon& daemon, Headers headers, std::string_view method = "GET") {
  return Api(daemon).request(method, "/v1/health", headers);
}

std::string at_port(const std::string& host, const Daemon& daemon) { return host + ":" + std::to_string(daemon.port()); }

bool lists(const std::string& header, const std::string& name) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  return (", " + lower(header) + ",").find(" " + lower(name) + ",") != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("http");

TEST_CASE("on a loopback bind Host must be a loopback name or the bind address") {
  Daemon daemon;
  for (const std::string host : {"localhost", "LOCALHOST", "127.0.0.1", "[::1]"}) {
    INFO(host);
    CHECK_EQ(ask(daemon, {{"Host", host}}).status, 200);
    CHECK_EQ(ask(daemon, {{"Host", at_port(host, daemon)}}).status, 200);
  }
  for (const std::string host :
       {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.1", "evil.example:80"}) {
    INFO(host);
    CHECK_EQ(problem_of(ask(daemon, {{"Host", host}})), "403 forbidden");
  }
}

TEST_CASE("the Host rule holds for pages without a token too") {
  Daemon daemon;
  CHECK_EQ(problem_of(Api(daemon).get("/", {{"Host", "evil.example"}})), "403 forbidden");
}

TEST_CASE("--allow-host adds a name") {
  Daemon daemon({"--allow-host", "sandbox.example"});
  CHECK_EQ(ask(daemon, {{"Host", "sandbox.example"}}).status, 200);
  CHECK_EQ(ask(daemon, {{"Host", "sandbox.example:8080"}}).status, 200);
  CHECK_EQ(problem_of(ask(daemon, {{"Host", "other.example"}})), "403 forbidden");
}

TEST_CASE("on an open bind Host is checked only when --allow-host is given") {
  const auto status_for = [](std::vector<std::string> flags, const std::string& host) {
    flags.insert(flags.begin(), {"server", "--host", "0.0.0.0", "--port", "0", "--token", "t", "--json"});
    CommandRun run(flags);
    REQUIRE(eventually([&] { return run.out().ends_with('\n'); }));
    const auto url = text_at(run.out(), "url");
    Connection connection(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    connection.send(http_request("GET", "/v1/health", {{"Host", host}, {"Authorization", "Bearer t"}}));
    return connection.read_response().status;
  };
  CHECK_EQ(status_for({}, "2468-abc.sandbox.example"), 200);
  CHECK_EQ(status_for({"--allow-host", "sandbox.example"}, "sandbox.example"), 200);
  CHECK_EQ(status_for({"--allow-host", "sandbox.example"}, "other.example"), 403);
}

TEST_CASE("an Origin must have the host and port of Host") {
  Daemon daemon;
  const auto host = at_port("127.0.0.1", daemon);
  CHECK_EQ(ask(daemon, {{"Host", host}, {"Origin", "http://" + host}}).status, 200);
  for (const std::string& origin : {std::string("http://evil.example"), std::string("null"), std::string("http://127.0.0.1"),
                                    at_port("http://localhost", daemon), std::string("http://127.0.0.1:1")}) {
    INFO(origin);
    CHECK_EQ(problem_of(ask(daemon, {{"Host", host}, {"Origin", origin}})), "403 forbidden");
  }
}

TEST_CASE("a missing port means the default port of the Origin's scheme") {
  Daemon daemon;
  CHECK_EQ(ask(daemon, {{"Host", "localhost:80"}, {"Origin", "http://localhost"}}).status, 200);
  CHECK_EQ(ask(daemon, {{"Host", "localhost:443"}, {"Origin", "https://localhost"}}).status, 200);
  CHECK_EQ(problem_of(ask(daemon, {{"Host", "localhost:80"}, {"Origin", "https://localhost"}})), "403 forbidden");
}

TEST_CASE("a foreign Origin is refused for every verb, preflight included") {
  Daemon daemon;
  for (const char* method : {"GET", "POST", "DELETE", "OPTIONS"}) {
    INFO(method);
    const auto response = Api(daemon).request(method, "/v1/acp/x", {{"Origin", "http://evil.example"}});
    CHECK_EQ(problem_of(response), "403 forbidden");
    CHECK_FALSE(response.has("access-control-allow-origin"));
  }
}

TEST_CASE("without flags no CORS header is sent") {
  Daemon daemon;
  const auto host = at_port("localhost", daemon);
  CHECK_FALSE(ask(daemon, {{"Host", host}, {"Origin", "http://" + host}}).has("access-control-allow-origin"));
}

TEST_CASE("an allowed Origin gets its answer and the exposed headers") {
  Daemon daemon({"--cors-allow-origin", "http://app.example", "-O", "https://second.example"});
  for (const std::string origin : {"http://app.example", "https://second.example"}) {
    const auto response = ask(daemon, {{"Origin", origin}});
    CHECK_EQ(response.status, 200);
    CHECK_EQ(response.header("access-control-allow-origin"), origin);
    CHECK(lists(response.header("vary"), "Origin"));
    for (const char* name : {"Acp-Event-Id", "Acp-Instance-Id", "Preference-Applied", "Retry-After", "ETag", "Content-Range"}) {
      CHECK_MESSAGE(lists(response.header("access-control-expose-headers"), name), name);
    }
  }
  CHECK_EQ(problem_of(ask(daemon, {{"Origin", "http://other.example"}})), "403 forbidden");
}

TEST_CASE("an allowed Origin can read errors too") {
  Daemon daemon({"-O", "http://app.example"});
  const auto response = ask(daemon, {{"Origin", "http://app.example"}, {"Authorization", ""}});
  CHECK_EQ(problem_of(response), "401 token_missing");
  CHECK_EQ(response.header("access-control-allow-origin"), "http://app.example");
}

TEST_CASE("a preflight lists what a client needs, without a token") {
  Daemon daemon({"-O", "http://app.example"});
  const auto response = Api(daemon).request("OPTIONS", "/v1/acp/x",
                                            {{"Origin", "http://app.example"},
                                             {"Access-Control-Request-Method", "DELETE"},
                                             {"Access-Control-Request-Headers", "authorization"},
                                             {"Authorization", ""}});
  CHECK_LT(response.status, 300);
  CHECK_EQ(response.header("access-control-allow-origin"), "http://app.example");
  for (const char* name :
       {"Authorization", "Content-Type", "Last-Event-ID", "Accept", "Prefer", "If-Match", "If-None-Match", "Range"}) {
    CHECK_MESSAGE(lists(response.header("access-control-allow-headers"), name), name);
  }
  for (const char* method : {"GET", "POST", "DELETE"}) {
    CHECK_MESSAGE(lists(response.header("access-control-allow-methods"), method), method);
  }
  CHECK(lists(response.header("vary"), "Origin"));
}

TEST_CASE("any Origin may be allowed, methods and headers added, and credentials") {
  Daemon daemon({"-O", "*", "-M", "PATCH", "-A", "X-Mine"});
  const auto response = Api(daemon).request("OPTIONS", "/v1/acp/x",
                                            {{"Origin", "http://any.example"}, {"Access-Control-Request-Method", "PATCH"}});
  CHECK_LT(response.status, 300);
  CHECK_NE(response.header("access-control-allow-origin"), "");
  CHECK(lists(response.header("access-control-allow-methods"), "PATCH"));
  CHECK(lists(response.header("access-control-allow-headers"), "X-Mine"));
  Daemon with_credentials({"-O", "http://app.example", "-C"});
  CHECK_EQ(ask(with_credentials, {{"Origin", "http://app.example"}}).header("access-control-allow-credentials"), "true");
}

TEST_SUITE_END();
