// Where one request ends and the next begins: every way to make two readers disagree about it, with the answer it gets. What is
// refused is refused once, and the connection ends there.
#include <doctest/doctest.h>

#include "raw_exchange.h"

using namespace rig;

namespace {

struct Row {
  std::string name;
  std::string bytes;
};

const std::string message = R"({"method":"n"})";  // 14 bytes, which is e in chunks
const std::string one_chunk = "e\r\n" + message + "\r\n0\r\n\r\n";
const std::string no_chunk = "0\r\n\r\n";

// A POST that would be 202, with these fields besides, this body, and one more request behind it.
std::string post(const Daemon& daemon, const std::string& fields, const std::string& body) {
  return "POST /v1/acp/x?agent=fake HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
         daemon.token() + "\r\n" + fields + "\r\n" + body + last_request;
}

std::string bytes_with_nul(const char* before, const char* after) { return std::string(before) + std::string(1, '\0') + after; }

}  // namespace

TEST_SUITE_BEGIN("security");

TEST_CASE("whatever else could be the length of a body is 400, and nothing behind it is answered") {
  const Daemon daemon;
  const Row rows[] = {
      {"the same length twice", "Content-Length: 14\r\nContent-Length: 14\r\n"},
      {"two lengths in one field", "Content-Length: 14 14\r\n"},
      {"a length and a comma", "Content-Length: 14,\r\n"},
      {"a comma and a length", "Content-Length: ,14\r\n"},
      {"a length with a fraction", "Content-Length: 14.0\r\n"},
      {"a length with an exponent", "Content-Length: 14e0\r\n"},
      {"a length in quotes", "Content-Length: \"14\"\r\n"},
      {"a length in hex", "Content-Length: e\r\n"},
      {"a length with something behind it", "Content-Length: 14;x\r\n"},
      {"a length with a minus for zero", "Content-Length: -0\r\n"},
      {"a length in other digits", "Content-Length: \xd9\xa1\xd9\xa4\r\n"},
      {"a length with a vertical tab", "Content-Length: 14\x0b\r\n"},
      {"a length beyond 64 bits", "Content-Length: 18446744073709551630\r\n"},
      {"a tab before the colon", "Content-Length\t: 14\r\n"},
      {"a length folded with a tab", "Content-Length:\r\n\t14\r\n"},
      {"a length folded with a blank", "Content-Length:\r\n 14\r\n"},
      {"a NUL in a name", bytes_with_nul("Content-Length", ": 14\r\n")},
      {"a NUL in a length", bytes_with_nul("Content-Length: 14", "\r\n")},
      {"a blank in a name", "Content Length: 14\r\n"},
      {"a letter beyond ASCII in a name", "C\xc3\xb6ntent-Length: 14\r\n"},
      {"a CR before the CRLF", "Content-Length: 14\r\r\n"},
      {"a length behind a bare CR", "X: y\rContent-Length: 14\r\n"},
      {"a length behind a bare LF", "X: y\nContent-Length: 14\r\n"},
      {"a DEL in a value", "X: \x7f\r\nContent-Length: 14\r\n"},
      {"a control character in a value", "X: \x01\r\nContent-Length: 14\r\n"},
  };
  for (const auto& [name, fields] : rows) {
    INFO(name);
    CHECK_EQ(every_answer(daemon, post(daemon, fields, message)), "400 invalid_request");
  }
}

TEST_CASE("a Transfer-Encoding that is not exactly chunked is 400, and nothing behind it is answered") {
  const Daemon daemon;
  const Row rows[] = {
      {"nothing", "Transfer-Encoding:\r\n"},
      {"chunked and a comma", "Transfer-Encoding: chunked,\r\n"},
      {"a comma and chunked", "Transfer-Encoding: , chunked\r\n"},
      {"identity, then chunked", "Transfer-Encoding: identity, chunked\r\n"},
      {"identity in a field of its own", "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n"},
      {"identity behind it in a field of its own", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"},
      {"an unknown coding", "Transfer-Encoding: cow\r\n"},
      {"an unknown coding behind it", "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n"},
      {"deflate", "Transfer-Encoding: deflate\r\n"},
      {"chunked with a parameter", "Transfer-Encoding: chunked;q=1\r\n"},
      {"chunked in quotes", "Transfer-Encoding: \"chunked\"\r\n"},
      {"chunked in two words", "Transfer-Encoding: chun ked\r\n"},
      {"chunked with a vertical tab before it",
       "Transfer-Encoding: \x0b"
       "chunked\r\n"},
      {"chunked with a form feed behind it", "Transfer-Encoding: chunked\x0c\r\n"},
      {"chunked with a NUL behind it", bytes_with_nul("Transfer-Encoding: chunked", "\r\n")},
      {"chunked on the next line", "Transfer-Encoding:\r\n chunked\r\n"},
      {"chunked on the next line, by a tab", "Transfer-Encoding:\r\n\tchunked\r\n"},
      {"chunked, folded behind something", "X: y\r\n Transfer-Encoding: chunked\r\n"},
      {"a blank before the colon", "Transfer-Encoding : chunked\r\n"},
      {"a tab before the colon", "Transfer-Encoding\t: chunked\r\n"},
      {"a line that begins with a CR", "\rTransfer-Encoding: chunked\r\n"},
      {"behind a bare LF", "X: y\nTransfer-Encoding: chunked\r\n"},
      {"with a length of nothing", "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n"},
      {"with a length of nothing before it", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n"},
      {"with a length that is none", "Content-Length: x\r\nTransfer-Encoding: chunked\r\n"},
  };
  for (const auto& [name, fields] : rows) {
    INFO(name);
    CHECK_EQ(every_answer(daemon, post(daemon, fields, one_chunk)), "400 invalid_request");
  }
}

TEST_CASE("chunks that could be read in two ways are 400, and nothing behind them is answered") {
  const Daemon daemon;
  const Row rows[] = {
      {"a size with a sign", "+e\r\n" + message + "\r\n" + no_chunk},
      {"a size behind a blank", " e\r\n" + message + "\r\n" + no_chunk},
      {"a size with 0x", "0xe\r\n" + message + "\r\n" + no_chunk},
      {"a size with an underscore", "0_e\r\n" + message + "\r\n" + no_chunk},
      {"two sizes", "e e\r\n" + message + "\r\n" + no_chunk},
      {"two sizes with a comma", "e,e\r\n" + message + "\r\n" + no_chunk},
      {"a size of 65 bits", "1000000000000000e\r\n" + message + "\r\n" + no_chunk},
      {"a size of 128 bits", "f0000000000000000000000000000000e\r\n" + message + "\r\n" + no_chunk},
      {"no size", ";x=y\r\n" + message + "\r\n" + no_chunk},
      {"a size behind a NUL", std::string(1, '\0') + "e\r\n" + message + "\r\n" + no_chunk},
      {"a size with a bare LF", "e\n" + message + "\r\n" + no_chunk},
      {"a size with a bare CR", "e\r" + message + "\r\n" + no_chunk},
      {"a size with CR CR LF", "e\r\r\n" + message + "\r\n" + no_chunk},
      {"an extension with a bare LF", "e;x\n" + message + "\r\n" + no_chunk},
      {"an extension with a bare LF in the middle", "e;x\ny\r\n" + message + "\r\n" + no_chunk},
      {"an extension with a bare CR", "e;x\ry\r\n" + message + "\r\n" + no_chunk},
      {"an extension with a NUL", "e;x" + std::string(1, '\0') + "\r\n" + message + "\r\n" + no_chunk},
      {"an extension whose quotes hold a line end", "e;x=\"\r\n" + message + "\r\n" + no_chunk},
      {"an extension whose quotes hold a bare LF", "e;x=\"\n\"\r\n" + message + "\r\n" + no_chunk},
      {"an extension whose quotes hold a bare CR", "e;x=\"\r\"\r\n" + message + "\r\n" + no_chunk},
      {"an extension whose quotes hold a NUL", "e;x=\"" + std::string(1, '\0') + "\"\r\n" + message + "\r\n" + no_chunk},
      {"an extension whose quotes escape a line end", "e;x=\"\\\n\"\r\n" + message + "\r\n" + no_chunk},
      {"an extension of 17,000 bytes", "e;" + std::string(17'000, 'x') + "\r\n" + message + "\r\n" + no_chunk},
      {"an extension of 17,000 bytes behind the last chunk",
       "e\r\n" + message + "\r\n0;" + std::string(17'000, 'x') + "\r\n\r\n"},
      {"an extension of 70,000 bytes", "e;" + std::string(70'000, 'x') + "\r\n" + message + "\r\n" + no_chunk},
      {"200,000 zeros before a size", std::string(200'000, '0') + "e\r\n" + message + "\r\n" + no_chunk},
      {"a chunk longer than its size", "d\r\n" + message + "\r\n" + no_chunk},
      {"a chunk that ends with a bare LF", "e\r\n" + message + "\n" + no_chunk},
      {"a last chunk with a bare LF", "e\r\n" + message + "\r\n0\n\n"},
      {"a last chunk and a bare LF", "e\r\n" + message + "\r\n0\r\n\n"},
      {"a trailer with a bare LF", "e\r\n" + message + "\r\n0\r\nX: y\nZ: y\r\n\r\n"},
      {"a folded trailer", "e\r\n" + message + "\r\n0\r\nX: y\r\n z\r\n\r\n"},
      {"a trailer without a colon", "e\r\n" + message + "\r\n0\r\nGET / HTTP/1.1\r\n\r\n"},
      {"a trailer that frames", "e\r\n" + message + "\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"},
      {"a trailer of 70,000 bytes", "e\r\n" + message + "\r\n0\r\nX: " + std::string(70'000, 'y') + "\r\n\r\n"},
  };
  for (const auto& [name, chunks] : rows) {
    INFO(name);
    CHECK_EQ(every_answer(daemon, post(daemon, "Transfer-Encoding: chunked\r\n", chunks)), "400 invalid_request");
  }
}

TEST_CASE("a chunk that announces more than comes waits for it, and takes nothing for a request") {
  const Daemon daemon({"--body-timeout-ms", "100"});
  for (const std::string size : {"f", "7fffffffffffffff", "ffffffffffffffff"}) {
    INFO(size);
    const auto chunks = size + "\r\n" + message + "\r\n" + no_chunk;
    const auto answers = every_answer(daemon, post(daemon, "Transfer-Encoding: chunked\r\n", chunks));
    CHECK(
        (answers == "408 request_timeout" || answers == "400 invalid_request"));  // 400: it was shorter, and the rest no chunk
  }
}

TEST_CASE("what is unusual and clear is taken") {
  const Daemon daemon;
  const Row rows[] = {
      {"no blank behind the colon", "Content-Length:14\r\n\r\n" + message},
      {"blanks and tabs around a length", "Content-Length: \t 14\t \r\n\r\n" + message},
      {"zeros before a length", "Content-Length: 0000000000000000000000014\r\n\r\n" + message},
      {"names in any case", "cONTENT-lENGTH: 14\r\n\r\n" + message},
      {"a field that only looks like one",
       "Content_Length: 99\r\nTransfer_Encoding: x\r\nContent-Length: 14\r\n\r\n" + message},
      {"CHUNKED", "Transfer-Encoding: CHUNKED\r\n\r\n" + one_chunk},
      {"tabs around chunked", "Transfer-Encoding:\tchunked\t\r\n\r\n" + one_chunk},
      {"a size in capitals", "Transfer-Encoding: chunked\r\n\r\nE\r\n" + message + "\r\n0\r\n\r\n"},
      {"zeros before a size", "Transfer-Encoding: chunked\r\n\r\n00000000000000000000e\r\n" + message + "\r\n0000\r\n\r\n"},
      {"an extension", "Transfer-Encoding: chunked\r\n\r\ne;name=value\r\n" + message + "\r\n0;last\r\n\r\n"},
      {"an extension in quotes", "Transfer-Encoding: chunked\r\n\r\ne;a=\"b;c\"\r\n" + message + "\r\n0\r\n\r\n"},
      {"an extension beyond ASCII in quotes",
       "Transfer-Encoding: chunked\r\n\r\ne;a=\"\xc3\xa9\t \"\r\n" + message + "\r\n0\r\n\r\n"},
      {"a trailer", "Transfer-Encoding: chunked\r\n\r\ne\r\n" + message + "\r\n0\r\nX: y\r\nAuthorization: Bearer x\r\n\r\n"},
      {"one line end too many behind the body", "Content-Length: 14\r\n\r\n" + message + "\r\n"},
  };
  for (const auto& [name, rest] : rows) {
    INFO(name);
    auto bytes = post(daemon, "", "");
    bytes.replace(bytes.find("\r\n\r\n") + 2, std::string::npos, rest + last_request);
    CHECK_EQ(every_answer(daemon, bytes), "202, 200");
  }
}

TEST_CASE("a body that nobody asked for is not taken for a request") {
  const Daemon daemon;
  const std::string hidden = "GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const auto sized = "Content-Length: " + std::to_string(hidden.size()) + "\r\n\r\n" + hidden;
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", hidden.size());
  const auto chunked = "Transfer-Encoding: chunked\r\n\r\n" + (size + hidden) + "\r\n0\r\n\r\n";
  const std::pair<const char*, const char*> lines[] = {
      {"GET /healthz", "200"},       {"DELETE /healthz", "405 method_not_allowed"}, {"GET /nothing", "404 not_found"},
      {"OPTIONS /v1/health", "204"}, {"GET /v1/health", "401 token_missing"},       {"POST /v1/acp/x", "401 token_missing"}};
  for (const auto& [line, answer] : lines) {
    INFO(line);
    const auto head = std::string(line) + " HTTP/1.1\r\nHost: localhost\r\n";
    CHECK_EQ(every_answer(daemon, head + sized + last_request), std::string(answer) + ", 200");
    CHECK_EQ(every_answer(daemon, head + chunked + last_request), std::string(answer) + ", 200");
  }
}

TEST_CASE("a first line that is not HTTP/1.1 or 1.0, or whose target is no path here, is 400 and ends the connection") {
  const Daemon daemon;
  const std::string lines[] = {
      "GET /healthz HTTP/0.9",
      "GET /healthz HTTP/1.2",
      "GET /healthz HTTP/2.0",
      "GET /healthz HTTP/2",
      "GET /healthz HTTP/1.10",
      "GET /healthz HTTP/11",
      "GET /healthz http/1.1",
      "GET /healthz HTTP/1.1 ",
      "GET /healthz HTTP/1.1 x",
      "GET /healthz XTTP/1.1",
      "GET\t/healthz HTTP/1.1",
      "GET /healthz\tHTTP/1.1",
      " GET /healthz HTTP/1.1",
      "GET /healthz",
      "PRI * HTTP/2.0",
      "GET * HTTP/1.1",
      "CONNECT localhost:80 HTTP/1.1",
      "CONNECT evil.example:443 HTTP/1.1",
      "GET localhost:80 HTTP/1.1",
      "GET http://evil.example/healthz HTTP/1.1",
      "GET http://localhost.evil.example/healthz HTTP/1.1",
      "GET http://localhost@evil.example/healthz HTTP/1.1",
      "GET http://evil.example@localhost/healthz HTTP/1.1",
      "GET http://localhost:1/healthz HTTP/1.1",
      "GET http:///healthz HTTP/1.1",
      "GET https://localhost/healthz HTTP/1.1",
      "GET ftp://localhost/healthz HTTP/1.1",
      "GET file:///etc/passwd HTTP/1.1",
      "GET \\healthz HTTP/1.1",
      "GET ../healthz HTTP/1.1",
      "GET ?x HTTP/1.1",
      "G(T /healthz HTTP/1.1",
      bytes_with_nul("GET /healthz", " HTTP/1.1"),
      "GET /\x7f HTTP/1.1",
      "GET /\xff HTTP/1.1",
      "GET /healthz HTTP/1.1\r",
  };
  for (const auto& line : lines) {
    INFO(line);
    CHECK_EQ(every_answer(daemon, line + "\r\nHost: localhost\r\n\r\n" + last_request), "400 invalid_request");
  }
  CHECK_EQ(every_answer(daemon, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "400 invalid_request");
  CHECK_EQ(every_answer(daemon, "\n" + last_request), "400 invalid_request");
  CHECK_EQ(every_answer(daemon, "\r\n\r\n" + last_request), "400 invalid_request");
  CHECK_EQ(every_answer(daemon, "GET /healthz HTTP/1.0\r\n\r\n"), "400 invalid_request");
  CHECK_EQ(every_answer(daemon, "GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + last_request), "200, 200");
}

TEST_CASE("an offer to speak something else is not taken up") {
  const Daemon daemon;
  for (const std::string fields :
       {"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
        "AAAAAAAAAAAAAAAAAAAAAA==\r\n",
        "Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n"}) {
    INFO(fields);
    CHECK_EQ(every_answer(daemon, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n" + last_request), "200, 200");
  }
}

TEST_SUITE_END();
