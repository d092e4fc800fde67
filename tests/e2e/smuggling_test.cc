#include <doctest/doctest.h>

#include <random>

#include "support/acp.h"

using namespace rig;

namespace {

struct Trick {
  const char* name;
  std::string head;  // after the request line, without the final blank line
  std::string rest;
};

const std::string second_request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string post_line() { return "POST /v1/acp/x?agent=fake HTTP/1.1\r\n"; }

// Sends it and returns the one answer; checks that the connection is closed and nothing else is answered.
std::string refused(const Daemon& daemon, const std::string& bytes) {
  Connection connection(daemon.port());
  connection.send(bytes);
  const auto response = connection.read_response();
  CHECK_MESSAGE(connection.closed_within(milliseconds(3000)), "the connection must be closed");
  CHECK_EQ(connection.buffered(), "");
  return problem_of(response);
}

}  // namespace

TEST_SUITE_BEGIN("http");

TEST_CASE("ambiguous framing is a 400 problem and ends the connection") {
  Daemon daemon;
  const std::string host =
      "Host: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " + daemon.token() + "\r\n";
  const std::string chunk = "0\r\n\r\n";
  const Trick tricks[] = {
      {"both framings", host + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", chunk},
      {"both framings, other order", host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", chunk},
      {"chunked, identity", host + "Transfer-Encoding: chunked, identity\r\n", chunk},
      {"identity", host + "Transfer-Encoding: identity\r\n", ""},
      {"gzip, chunked", host + "Transfer-Encoding: gzip, chunked\r\n", chunk},
      {"chunked twice", host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunk},
      {"chunked in a list twice", host + "Transfer-Encoding: chunked, chunked\r\n", chunk},
      {"almost chunked", host + "Transfer-Encoding: xchunked\r\n", chunk},
      {"two different lengths", host + "Content-Length: 5\r\nContent-Length: 6\r\n", "{\"a\":1}"},
      {"a signed length", host + "Content-Length: +5\r\n", "12345"},
      {"a negative length", host + "Content-Length: -5\r\n", ""},
      {"a hexadecimal length", host + "Content-Length: 0x5\r\n", "12345"},
      {"a list of lengths", host + "Content-Length: 5, 5\r\n", "12345"},
      {"an empty length", host + "Content-Length: \r\n", ""},
      {"space before the colon", host + "Content-Length : 5\r\n", "12345"},
      {"no Host", "Content-Length: 0\r\n", ""},
      {"two Hosts", host + "Host: localhost\r\nContent-Length: 0\r\n", ""},
      {"two different Hosts", host + "Host: evil.example\r\nContent-Length: 0\r\n", ""},
      {"a folded header", host + "X-Folded: a\r\n b\r\nContent-Length: 0\r\n", ""},
      {"a folded first header", " X: y\r\n" + host + "Content-Length: 0\r\n", ""},
      {"a bare LF", host + "X-Bare: a\nContent-Length: 0\r\n", ""},
      {"a bare CR", host + "X-Bare: a\rb\r\nContent-Length: 0\r\n", ""},
      {"a NUL", host + std::string("X-Nul: a\0b\r\n", 12) + "Content-Length: 0\r\n", ""},
      {"a header without a name", host + ": x\r\nContent-Length: 0\r\n", ""},
      {"a header without a colon", host + "nonsense\r\nContent-Length: 0\r\n", ""},
  };
  for (const auto& trick : tricks) {
    INFO(trick.name);
    CHECK_EQ(refused(daemon, post_line() + trick.head + "\r\n" + trick.rest + second_request), "400 invalid_request");
  }
}

TEST_CASE("Transfer-Encoding is refused on HTTP/1.0") {
  Daemon daemon;
  CHECK_EQ(refused(daemon, "POST /v1/acp/x HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
           "400 invalid_request");
}

TEST_CASE("a request line that is not plain is a 400 problem and ends the connection") {
  Daemon daemon;
  const std::string lines[] = {
      "GET /v1/he\xc3\xa9lth HTTP/1.1\r\n",
      "GET  /healthz HTTP/1.1\r\n",
      "GET /healthz\r\n",
      "GET /healthz HTTP/1.1\n",
      "GET /heal thz HTTP/1.1\r\n",
      "G\x01T /healthz HTTP/1.1\r\n",
      "GET healthz HTTP/1.1\r\n",
      "\x16\x03\x01 hello\r\n",
  };
  for (const auto& line : lines) {
    INFO(line);
    CHECK_EQ(refused(daemon, line + "Host: localhost\r\n\r\n"), "400 invalid_request");
  }
}

TEST_CASE("broken chunks are a 400 problem and end the connection") {
  Daemon daemon;
  const std::string head = post_line() + "Host: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
                           daemon.token() + "\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string chunks : {"zz\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "2\n{}\n0\n\n", "2\r\n{}XX0\r\n\r\n",
                                   "fffffffffffffffff\r\n{}\r\n", "\r\n{}\r\n", "0x2\r\n{}\r\n0\r\n\r\n"}) {
    INFO(chunks);
    CHECK_EQ(refused(daemon, head + chunks + second_request), "400 invalid_request");
  }
}

TEST_CASE("a well-formed chunked body is one body, however it is cut") {
  Daemon daemon;
  Acp acp(daemon, "x", "verbatim");
  const std::string body = rpc_request("1", "echo", R"({"text":"hello"})");
  for (std::size_t size = 1; size <= 40; size += 13) {
    std::string chunks;
    for (std::size_t at = 0; at < body.size(); at += size) {
      const auto piece = body.substr(at, size);
      char length[16];
      std::snprintf(length, sizeof length, "%zx\r\n", piece.size());
      chunks += length + piece + "\r\n";
    }
    Connection connection = acp.begin("POST", acp.target("agent=verbatim"),
                                      {{"Content-Type", "application/json"}, {"Transfer-Encoding", "chunked"}});
    connection.send(chunks + "0\r\n\r\n");
    CHECK_EQ(text_at(connection.read_response().body, "result.line"), body);
  }
}

TEST_CASE("a request with random damage is answered or refused, and the daemon lives on") {
  Daemon daemon({"--head-timeout-ms", "100"});
  Acp acp(daemon, "x");
  const auto whole = http_request("POST", acp.target("agent=fake"),
                                  {{"Authorization", "Bearer " + daemon.token()}, {"Content-Type", "application/json"}},
                                  rpc_request("1", "echo"));
  std::mt19937 random(20260);  // NOLINT: the same damage every time
  for (int round = 0; round < 200; ++round) {
    auto damaged = whole;
    for (int i = 0; i <= round % 4; ++i) damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    if (round % 3 == 0) damaged.erase(random() % damaged.size(), random() % 8);
    Connection connection(daemon.port());
    connection.send(damaged);
    connection.finish_sending();
    CHECK(connection.closed_within(milliseconds(5000)));
  }
  CHECK_EQ(acp.get("/v1/health").status, 200);
}

TEST_SUITE_END();
