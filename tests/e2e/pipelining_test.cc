#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("http");

TEST_CASE("one connection serves many requests") {
  Daemon daemon;
  Connection connection(daemon.port());
  for (int i = 0; i < 50; ++i) {
    connection.send(http_request("GET", "/healthz"));
    CHECK_EQ(connection.read_response().body, "ok");
  }
}

TEST_CASE("pipelined requests are answered in order") {
  Daemon daemon;
  Acp acp(daemon, "pipe");
  REQUIRE_EQ(acp.call("echo").status, 200);
  const Headers headers = {{"Authorization", "Bearer " + daemon.token()}, {"Content-Type", "application/json"}};
  std::string bytes;
  for (int i = 100; i < 200; ++i) {
    const auto params = R"({"ms":)" + std::to_string(i % 3 == 0 ? 5 : 0) + "}";
    bytes += http_request("POST", acp.target(), headers, rpc_request(std::to_string(i), "slow", params));
    bytes += http_request("GET", "/healthz");
  }
  Connection connection(daemon.port());
  connection.send(bytes);
  for (int i = 100; i < 200; ++i) {
    CHECK_EQ(number_at(connection.read_response().body, "id"), i);
    CHECK_EQ(connection.read_response().body, "ok");
  }
}

TEST_CASE("a request that arrives byte by byte is understood") {
  Daemon daemon;
  Acp acp(daemon, "slow");
  Connection connection(daemon.port());
  const auto bytes = http_request("POST", acp.target("agent=fake"),
                                  {{"Authorization", "Bearer " + daemon.token()}, {"Content-Type", "application/json"}},
                                  rpc_request("1", "echo", "[1]"));
  for (const char byte : bytes) connection.send(std::string_view(&byte, 1));
  CHECK_EQ(connection.read_response().status, 200);
}

TEST_CASE("Connection: close is honoured, and so is HTTP/1.0") {
  Daemon daemon;
  Connection closing(daemon.port());
  closing.send(http_request("GET", "/healthz", {{"Connection", "close"}}));
  CHECK_EQ(closing.read_response().status, 200);
  CHECK(closing.closed_within(milliseconds(5000)));
  Connection old(daemon.port());
  old.send("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n");
  CHECK_EQ(old.read_response().status, 200);
  CHECK(old.closed_within(milliseconds(5000)));
}

TEST_CASE("the body of a refused request is never taken for the next request") {
  Daemon daemon;
  Acp acp(daemon, "x");
  Connection connection(daemon.port());
  const Headers headers = {{"Authorization", "Bearer " + daemon.token()}, {"Content-Type", "text/plain"}};
  connection.send(http_request("POST", acp.target("agent=fake"), headers, http_request("GET", "/healthz")));
  connection.send(http_request("GET", "/nope"));
  CHECK_EQ(problem_of(connection.read_response()), "415 unsupported_media_type");
  const bool kept =
      !connection.buffered().empty() || (connection.readable_within(milliseconds(2000)) && connection.read_more());
  if (kept) CHECK_EQ(problem_of(connection.read_response()), "404 not_found");
}

TEST_CASE("Expect: 100-continue is answered before the body is sent") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const auto body = rpc_request("1", "echo");
  Connection connection = acp.begin(
      "POST", acp.target("agent=fake"),
      {{"Content-Type", "application/json"}, {"Content-Length", std::to_string(body.size())}, {"Expect", "100-continue"}});
  CHECK_EQ(connection.read_head().status, 100);
  connection.send(body);
  CHECK_EQ(connection.read_response().status, 200);
}

TEST_CASE("a request that is refused by its head gets no 100") {
  Daemon daemon;
  Acp acp(daemon, "x");
  Connection connection = acp.begin("POST", acp.target("agent=fake"),
                                    {{"Authorization", "Bearer wrong"},
                                     {"Content-Type", "application/json"},
                                     {"Content-Length", "100"},
                                     {"Expect", "100-continue"}});
  const auto response = connection.read_response();
  CHECK_EQ(problem_of(response), "401 token_invalid");
  CHECK_EQ(response.continues, 0);
}

TEST_CASE("a client that hangs up in the middle of a body leaves nothing behind") {
  Daemon daemon;
  Acp acp(daemon, "x");
  {
    Connection connection =
        acp.begin("POST", acp.target("agent=fake"), {{"Content-Type", "application/json"}, {"Content-Length", "1000"}});
    connection.send(R"({"jsonrpc":"2.0","id":1,)");
    connection.reset();
  }
  CHECK(acp.servers().empty());
}

TEST_SUITE_END();
