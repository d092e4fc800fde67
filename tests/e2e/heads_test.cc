// Heads and bodies at the edge of the rules.
#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("http");

TEST_CASE("several Accept lines count as one list") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("echo").status, 200);
  CHECK_EQ(acp.stream({{"Accept", "application/json"}, {"Accept", "text/event-stream"}}).next().id, 1);
  CHECK_EQ(acp.stream({{"Accept", "text/event-stream"}, {"Accept", "application/json"}}).next().id, 1);
}

TEST_CASE("a path that cannot be decoded is no way around the token") {
  Daemon daemon;
  const auto response = Api(daemon).request("POST", "/v1/acp/%zz", {{"Authorization", ""}}, "{}");
  CHECK_EQ(problem_of(response), "401 token_missing");
}

TEST_CASE("OPTIONS needs no token, also where a path is not known") {
  Daemon daemon;
  for (const std::string target : {"/v1/rpc", "/v1/acp", "/v1/acp/x"}) {
    INFO(target);
    CHECK_EQ(Api(daemon).request("OPTIONS", target, {{"Authorization", ""}}).status, 204);
  }
}

TEST_CASE("a trailer after the last chunk is thrown away, one that could be misread is 400") {
  Daemon daemon;
  Acp acp(daemon, "x");
  struct {
    std::string trailer;
    std::string answer;
  } const rows[] = {{"A: b\r\n", "202"},
                    {"Digest: x\r\nAuthorization: Bearer wrong\r\n", "202"},
                    {"Content-Length: 5\r\n", "400 invalid_request"},
                    {"A: b\nC: d\r\n", "400 invalid_request"},
                    {"A: b\r\n c\r\n", "400 invalid_request"}};
  for (const auto& [trailer, answer] : rows) {
    INFO(trailer);
    auto connection =
        acp.begin("POST", acp.target("agent=fake"), {{"Content-Type", "application/json"}, {"Transfer-Encoding", "chunked"}});
    connection.send("e\r\n{\"method\":\"n\"}\r\n0\r\n" + trailer + "\r\n");
    const auto response = connection.read_response(false, milliseconds(5000));
    CHECK_EQ(response.status < 400 ? std::to_string(response.status) : problem_of(response), answer);
  }
}

TEST_CASE("a head of bare LF lines is 400 at once") {
  Daemon daemon;
  Connection connection(daemon.port());
  connection.send("GET /healthz HTTP/1.1\nHost: localhost\n\n");
  CHECK_EQ(problem_of(connection.read_response(false, milliseconds(5000))), "400 invalid_request");
}

TEST_CASE("a client that speaks TLS is turned away at its first byte") {
  Daemon daemon;
  Connection connection(daemon.port());
  connection.send("\x16");
  CHECK(connection.closed_within(milliseconds(5000)));
}

TEST_CASE("a Host with user information is not taken for what stands before it") {
  Daemon daemon;
  for (const std::string host : {"localhost:1@evil.com", "localhost:@evil.com", "localhost@evil.com"}) {
    INFO(host);
    CHECK_EQ(problem_of(Api(daemon).get("/healthz", {{"Host", host}})), "403 forbidden");
  }
}

TEST_SUITE_END();
