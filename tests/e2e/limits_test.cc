#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

std::string body_of(std::size_t bytes) {
  const std::string frame = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":""})";
  return R"({"jsonrpc":"2.0","id":1,"method":"echo","params":")" + std::string(bytes - frame.size(), 'p') + "\"}";
}

}  // namespace

TEST_SUITE_BEGIN("http");

TEST_CASE("a head over 64 KiB is a 431 problem that names the limit") {
  Daemon daemon;
  const auto response = Api(daemon).get("/v1/health", {{"X-Large", std::string(70000, 'h')}});
  CHECK_EQ(problem_of(response), "431 header_too_large");
  CHECK_GT(number_at(response.body, "limit"), 0);
}

TEST_CASE("a head just under the limit is fine") {
  Daemon daemon;
  CHECK_EQ(Api(daemon).get("/v1/health", {{"X-Large", std::string(60000, 'h')}}).status, 200);
}

TEST_CASE("a target over the head limit is refused with a problem") {
  Daemon daemon;
  const auto response = Api(daemon).get("/v1/health?" + std::string(70000, 'q'));
  CHECK((problem_of(response) == "431 header_too_large" || problem_of(response) == "414 uri_too_long"));
}

TEST_CASE("a HEAD request that is refused before its head was read gets no body either") {
  Daemon daemon({"--head-timeout-ms", "200"});
  const std::string name = "HEAD /v1/health";
  for (const auto& start : {name + std::string(70000, 'q') + " HTTP/1.1\r\n",
                            name + " HTTP/1.1\r\nX: " + std::string(70000, 'h'), name + " HTTP/1.1\r\n"}) {
    Connection connection(daemon.port());
    connection.send(start);
    const auto head = connection.read_response(true);
    CHECK_GE(head.status, 408);
    CHECK(connection.closed_within(milliseconds(5000)));
  }
}

TEST_CASE("a sized body over the limit is a 413 problem that names the limit, at the limit it is fine") {
  Daemon daemon({"--max-envelope-bytes", "1000"});
  Acp acp(daemon, "x");
  CHECK_EQ(acp.post(body_of(1000)).status, 200);
  const auto response = acp.post(body_of(1001));
  CHECK_EQ(problem_of(response), "413 payload_too_large");
  CHECK_EQ(number_at(response.body, "limit"), 1000);
}

TEST_CASE("a chunked body that grows over the limit is a 413 problem") {
  Daemon daemon({"--max-envelope-bytes", "1000"});
  Acp acp(daemon, "x");
  Connection connection =
      acp.begin("POST", acp.target("agent=fake"), {{"Content-Type", "application/json"}, {"Transfer-Encoding", "chunked"}});
  for (int i = 0; i < 3; ++i) connection.send("1f4\r\n" + std::string(500, ' ') + "\r\n");
  CHECK_EQ(problem_of(connection.read_response()), "413 payload_too_large");
}

TEST_CASE("the default limit of an ACP POST is 64 MiB, refused before the body is sent") {
  Daemon daemon;
  Acp acp(daemon, "x");
  Connection connection =
      acp.begin("POST", acp.target("agent=fake"),
                {{"Content-Type", "application/json"}, {"Content-Length", "67108865"}, {"Expect", "100-continue"}});
  const auto response = connection.read_response();
  CHECK_EQ(problem_of(response), "413 payload_too_large");
  CHECK_EQ(response.continues, 0);
  CHECK_EQ(number_at(response.body, "limit"), 67108864);
}

TEST_CASE("a Content-Length beyond all numbers is refused, not misread") {
  Daemon daemon;
  Acp acp(daemon, "x");
  for (const std::string length : {"18446744073709551617", "99999999999999999999999999", "9223372036854775808"}) {
    Connection connection =
        acp.begin("POST", acp.target("agent=fake"), {{"Content-Type", "application/json"}, {"Content-Length", length}});
    const auto status = connection.read_response().status;
    CHECK((status == 400 || status == 413));
  }
}

TEST_CASE("a body that is not JSON by content type is 415, unparsable is 400") {
  Daemon daemon;
  Acp acp(daemon, "x");
  CHECK_EQ(problem_of(acp.post("{}", {{"Content-Type", "text/plain"}})), "415 unsupported_media_type");
  CHECK_EQ(problem_of(acp.post("{")), "400 invalid_request");
}

TEST_CASE("running out of descriptors pauses accepting and nothing crashes") {
  Daemon daemon(DaemonSetup{.nofile = 64});
  Api api(daemon);
  {
    std::vector<Connection> crowd;
    for (int i = 0; i < 200; ++i) crowd.push_back(api.connect());
    Connection served = std::move(crowd.front());
    served.send(http_request("GET", "/healthz"));
    CHECK_EQ(served.read_response().body, "ok");
    CHECK(daemon.process().running());
  }
  CHECK(eventually([&] { return api.get("/v1/health").status == 200; }));
  CHECK(eventually([&] { return Acp(daemon, "after").call("echo").status == 200; }));
}

TEST_CASE("an agent that cannot be started for lack of descriptors is an answer, not a crash") {
  Daemon daemon(DaemonSetup{.nofile = 64});
  Api api(daemon);
  std::vector<Connection> crowd;
  for (int i = 0; i < 30; ++i) crowd.push_back(api.connect());
  int started = 0;
  for (int i = 0; i < 30; ++i) {
    Acp acp(daemon, "n" + std::to_string(i));
    crowd[0].send(http_request("POST", acp.target("agent=fake"),
                               {{"Authorization", "Bearer " + daemon.token()}, {"Content-Type", "application/json"}},
                               rpc_request("1", "echo")));
    const auto response = crowd[0].read_response();
    INFO(response.body);
    CHECK((response.status == 200 || response.status == 502 || response.status == 503));
    started += response.status == 200 ? 1 : 0;
  }
  CHECK_GT(started, 0);
  crowd.clear();
  CHECK(eventually([&] { return api.get("/v1/health").status == 200; }));
}

TEST_CASE("at the limit of connections the next one waits its turn, and the log says why") {
  Daemon daemon({"--max-connections", "3"});
  std::vector<std::unique_ptr<Connection>> crowd;
  for (int i = 0; i < 4; ++i) {
    crowd.push_back(std::make_unique<Connection>(daemon.port()));
    crowd.back()->send(http_request("GET", "/healthz"));
  }
  for (int i = 0; i < 3; ++i) CHECK_EQ(crowd[static_cast<std::size_t>(i)]->read_response().body, "ok");
  CHECK(eventually([&] { return daemon.stderr_text().contains("accepting pauses: 3 connections are open"); }));
  CHECK_FALSE(crowd[3]->readable_unscaled(milliseconds(50)));
  crowd[0].reset();
  CHECK_EQ(crowd[3]->read_response().body, "ok");
}

TEST_CASE("a server that every web page could use warns about it") {
  const auto warns = [](std::vector<std::string> flags) {
    return Daemon(DaemonSetup{.flags = std::move(flags), .with_token = false}).stderr_text().contains("every web page");
  };
  CHECK(warns({"--no-token", "-O", "*"}));
  CHECK_FALSE(warns({"--token", "secret", "-O", "*"}));
  CHECK_FALSE(warns({"--no-token", "-O", "https://app.example"}));
}

TEST_SUITE_END();
