#include "http/message_parser.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

using namespace std::string_view_literals;

// The lines of a head, with their ends.
std::string head(std::string_view request_line, std::initializer_list<std::string_view> fields = {"Host: h"}) {
  std::string text(request_line);
  text += "\r\n";
  for (std::string_view field : fields) text.append(field).append("\r\n");
  return text + "\r\n";
}

Result<MessageFraming> parse(std::string_view text) {
  MessageParser parser;
  Request request;
  return parser.parse_head(text, request);
}

}  // namespace

TEST_CASE("a head becomes views of its parts") {
  const std::string text = head("POST /v1/acp/a%20b?agent=mock&x HTTP/1.1",
                                {"Host: localhost:2468", "X-Empty:", "accept:\t a, b \t", "X: 1", "X: 2"});
  MessageParser parser;
  Request request;
  const auto framing = parser.parse_head(text, request);
  REQUIRE(framing.has_value());
  CHECK(request.method == "POST");
  CHECK(request.target == "/v1/acp/a%20b?agent=mock&x");
  CHECK(request.path == "/v1/acp/a%20b");
  CHECK(request.query == "agent=mock&x");
  CHECK(request.minor_version == 1);
  CHECK(request.header("host") == "localhost:2468");
  CHECK(request.header("accept") == "a, b");
  CHECK(request.header_count("x-empty") == 1);
  CHECK(request.header("x-empty").empty());
  CHECK(request.header_count("x") == 2);
  CHECK(request.header("host").data() >= text.data());
  CHECK(request.header("host").data() < text.data() + text.size());
  CHECK(framing->body == BodyKind::none);
}

TEST_CASE("targets: a path, an absolute one of the same host, or an asterisk for OPTIONS") {
  const auto path = [](std::string_view line) -> std::string {
    const std::string text = head(line);
    MessageParser parser;
    Request request;
    const auto framing = parser.parse_head(text, request);
    return framing ? std::string(request.path) + "|" + std::string(request.query) : "refused";
  };
  CHECK(path("GET / HTTP/1.1") == "/|");
  CHECK(path("GET /a?b?c HTTP/1.1") == "/a|b?c");
  CHECK(path("GET /a?b#c HTTP/1.1") == "/a|b");
  CHECK(path("GET /a#b?c HTTP/1.1") == "/a|");
  CHECK(path("GET http://h/a?b HTTP/1.1") == "/a|b");
  CHECK(path("GET http://H HTTP/1.1") == "/|");
  CHECK(path("GET HTTP://h/a HTTP/1.1") == "/a|");
  CHECK(path("GET http://h?b HTTP/1.1") == "/|b");
  CHECK(path("GET http://h?b/c HTTP/1.1") == "/|b/c");
  CHECK(path("GET http://h#b HTTP/1.1") == "/|");
  CHECK(path("GET http://h:80/a HTTP/1.1") == "/a|");
  CHECK(path("GET http://h:/a HTTP/1.1") == "/a|");
  CHECK(path("GET http://h:81/a HTTP/1.1") == "refused");
  CHECK(path("GET http://h:80:80/a HTTP/1.1") == "refused");
  CHECK(path("GET http://?h/a HTTP/1.1") == "refused");
  CHECK(path("OPTIONS * HTTP/1.1") == "*|");
  CHECK(path("GET http://other/a HTTP/1.1") == "refused");
  CHECK(path("GET http://h@other/a HTTP/1.1") == "refused");
  CHECK(path("GET * HTTP/1.1") == "refused");
  CHECK(path("GET a HTTP/1.1") == "refused");
  CHECK(path("CONNECT h:80 HTTP/1.1") == "refused");
}

TEST_CASE("connections are kept as the version and the Connection field say") {
  CHECK(parse(head("GET / HTTP/1.1"))->keep_alive);
  CHECK_FALSE(parse(head("GET / HTTP/1.1", {"Host: h", "Connection: close"}))->keep_alive);
  CHECK_FALSE(parse(head("GET / HTTP/1.1", {"Host: h", "connection: x, Close"}))->keep_alive);
  CHECK_FALSE(parse(head("GET / HTTP/1.0"))->keep_alive);
  CHECK(parse(head("GET / HTTP/1.0", {"Host: h", "Connection: Keep-Alive"}))->keep_alive);
  CHECK_FALSE(parse(head("GET / HTTP/1.0", {"Host: h", "Connection: x, close", "Connection: keep-alive"}))->keep_alive);
}

TEST_CASE("the body is framed by one plain length or by chunks") {
  const auto sized = parse(head("POST / HTTP/1.1", {"Host: h", "Content-Length: 12"}));
  CHECK(sized->body == BodyKind::sized);
  CHECK(sized->content_length == 12);
  CHECK(parse(head("POST / HTTP/1.1", {"Host: h", "Content-Length: 0"}))->body == BodyKind::none);
  CHECK(parse(head("POST / HTTP/1.1", {"Host: h", "content-length: 007"}))->content_length == 7);
  CHECK(parse(head("POST / HTTP/1.1", {"Host: h", "Transfer-Encoding: chunked"}))->body == BodyKind::chunked);
  CHECK(parse(head("POST / HTTP/1.1", {"Host: h", "transfer-encoding: CHUNKED "}))->body == BodyKind::chunked);
  CHECK(parse(head("POST / HTTP/1.1", {"Host: h", "Content-Length: 1", "Expect: 100-Continue"}))->expects_continue);
  CHECK_FALSE(parse(head("POST / HTTP/1.1", {"Host: h", "Content-Length: 1", "Expect: else"}))->expects_continue);
}

TEST_CASE("what two parsers could read in two ways is refused") {
  const std::string_view refused[] = {
      // hosts
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n",
      // transfer codings
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity, chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked;q=1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \"chunked\"\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \vchunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
      "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
      // lengths
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5, 5\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -5\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x5\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5 5\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5.0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551616\r\n\r\n",
      // line ends, folding, control characters
      "GET / HTTP/1.1\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\n\nX: y\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n\tb\r\n\r\n",
      "GET / HTTP/1.1\r\n Host: h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n"sv,
      "GET / HTTP/1.1\r\nHost: h\r\nX: a\001b\r\n\r\n",
      " GET / HTTP/1.1\r\nHost: h\r\n\r\n",
      // field names
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length : 5\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nX\0: y\r\n\r\n"sv,
      "GET / HTTP/1.1\r\nHost: h\r\n\xC3\xA9: y\r\n\r\n",
      // the request line
      "GET /\xC3\xA9 HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /\x7F HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /\t HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
      "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/2.0\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.2\r\nHost: h\r\n\r\n",
      "GET / HTTP/0.9\r\nHost: h\r\n\r\n",
      "GET / http/1.1\r\nHost: h\r\n\r\n",
      "GET /\r\nHost: h\r\n\r\n",
      "G@T / HTTP/1.1\r\nHost: h\r\n\r\n",
      "/ HTTP/1.1\r\nHost: h\r\n\r\n",
      "\r\n\r\n",
  };
  for (std::string_view text : refused) {
    CAPTURE(text);
    const auto framing = parse(text);
    CHECK_FALSE(framing.has_value());
    if (!framing) CHECK(framing.error().code == ErrorCode::invalid_request);
  }
}

TEST_CASE("a chunked body is decoded whatever way it is cut, and nothing behind it is taken") {
  const std::string body = "5\r\nhello\r\n1;name=\"v\"\r\n \r\n00006\r\nworld!\r\nA\r\n0123456789\r\n0\r\n\r\n";
  const std::string behind = "GET / HTTP/1.1\r\n";
  const std::string text = head("POST / HTTP/1.1", {"Host: h", "Transfer-Encoding: chunked"});
  for (std::size_t first = 0; first <= body.size(); ++first) {
    for (std::size_t second : {first, first + 1, first + 2, first + 7, body.size()}) {
      if (second < first || second > body.size()) continue;
      CAPTURE(first);
      CAPTURE(second);
      MessageParser parser;
      Request request;
      REQUIRE(parser.parse_head(text, request).has_value());
      std::string waiting, out;
      bool done = false;
      for (const std::string& piece :
           {body.substr(0, first), body.substr(first, second - first), body.substr(second) + behind}) {
        waiting += piece;
        const auto decoded = parser.decode_chunks(waiting, out);
        REQUIRE(decoded.has_value());
        waiting.erase(0, decoded->consumed);
        done = decoded->done;
      }
      CHECK(done);
      CHECK(out == "hello world!0123456789");
      CHECK(waiting == behind);
      CHECK(request.header("host") == "h");
    }
  }
}

TEST_CASE("two framings of one body are refused in words that name both") {
  for (const auto& [first, second] : {std::pair("Content-Length: 5", "Transfer-Encoding: chunked"),
                                      std::pair("Transfer-Encoding: chunked", "Content-Length: 5")}) {
    CAPTURE(first);
    MessageParser parser;
    Request request;
    const std::string text = head("POST / HTTP/1.1", {"Host: h", first, second});
    const auto framing = parser.parse_head(text, request);
    REQUIRE_FALSE(framing.has_value());
    CHECK(framing.error().detail.contains("Content-Length"));
    CHECK(framing.error().detail.contains("Transfer-Encoding"));
    CHECK(framing.error().detail.contains("must not come together"));
  }
}

TEST_CASE("an empty chunked body may come byte by byte") {
  const std::string text = head("POST / HTTP/1.1", {"Host: h", "Transfer-Encoding: chunked"});
  for (const std::string_view body : {"0\r\n\r\n", "000\r\n\r\n", "0;x\r\n\r\n"}) {
    CAPTURE(body);
    MessageParser parser;
    Request request;
    REQUIRE(parser.parse_head(text, request).has_value());
    std::string waiting, out;
    for (std::size_t i = 0; i < body.size(); ++i) {
      waiting += body[i];
      const auto decoded = parser.decode_chunks(waiting, out);
      REQUIRE(decoded.has_value());
      waiting.erase(0, decoded->consumed);
      CHECK(decoded->done == (i + 1 == body.size()));
    }
    CHECK(waiting.empty());
    CHECK(out.empty());
  }
}

TEST_CASE("fields behind a chunked body are thrown away, and never become the request's") {
  const std::string text = head("POST / HTTP/1.1", {"Host: h", "Transfer-Encoding: chunked"});
  for (const char* fields : {"Host: evil\r\n", "A: b\r\nAuthorization: Bearer x\r\nC:\r\n", "Connection: close\r\n"}) {
    const std::string body = std::string("1\r\na\r\n0\r\n") + fields + "\r\n";
    for (std::size_t cut = 0; cut < body.size(); ++cut) {
      MessageParser parser;
      Request request;
      REQUIRE(parser.parse_head(text, request).has_value());
      const std::size_t count = request.headers.size();
      std::string out, waiting = body.substr(0, cut);
      const auto first = parser.decode_chunks(waiting, out);
      REQUIRE(first.has_value());
      CHECK_FALSE(first->done);
      waiting.erase(0, first->consumed);
      waiting += body.substr(cut) + "GET /next";
      const auto second = parser.decode_chunks(waiting, out);
      REQUIRE(second.has_value());
      CHECK(second->done);
      CHECK(waiting.substr(second->consumed) == "GET /next");
      CHECK(out == "a");
      CHECK(request.headers.size() == count);
      CHECK(request.header("host") == "h");
    }
  }
}

TEST_CASE("fields behind a chunked body that could be read in two ways, or frame, or are endless, are refused") {
  const std::string text = head("POST / HTTP/1.1", {"Host: h", "Transfer-Encoding: chunked"});
  for (const std::string& fields : {std::string("A: b\nC: d\r\n"), std::string("A: b\r\n c\r\n"), std::string(" A: b\r\n"),
                                    std::string("A : b\r\n"), std::string("A: b\rC: d\r\n"), std::string("A\r\n"),
                                    std::string("A: \0\r\n", 6), std::string(": b\r\n"), std::string("Content-Length: 5\r\n"),
                                    std::string("Transfer-Encoding: chunked\r\n"), "A: " + std::string(70'000, 'b') + "\r\n"}) {
    CAPTURE(fields.substr(0, 40));
    MessageParser parser;
    Request request;
    REQUIRE(parser.parse_head(text, request).has_value());
    std::string out;
    const auto decoded = parser.decode_chunks("1\r\na\r\n0\r\n" + fields + "\r\n", out);
    REQUIRE_FALSE(decoded.has_value());
    CHECK(decoded.error().code == ErrorCode::invalid_request);
    CHECK_FALSE(parser.decode_chunks("1\r\na\r\n0\r\n\r\n", out).has_value());
  }
}

TEST_CASE("a broken chunk is refused") {
  for (std::string_view start : {"x\r\n", "-1\r\na\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "1x\r\na\r\n", "0x1\r\na\r\n", "1 a\r\n",
                                 "2\r\nabc\r\n", "2\r\nab\n", "1\r\naX\r\n", "10000000000000001\r\na\r\n", "\r\n", "1\na\r\n",
                                 "1;x\ny\r\na\r\n", "1;x\ry\r\na\r\n", "1;x=\"\n\"\r\na\r\n", "1;x=\"\\\n\"\r\na\r\n"}) {
    const std::string body = std::string(start) + "0\r\n\r\n";
    CAPTURE(body);
    MessageParser parser;
    Request request;
    const std::string text = head("POST / HTTP/1.1", {"Host: h", "Transfer-Encoding: chunked"});
    REQUIRE(parser.parse_head(text, request).has_value());
    std::string out;
    const auto decoded = parser.decode_chunks(body, out);
    CHECK_FALSE(decoded.has_value());
    if (!decoded) CHECK(decoded.error().code == ErrorCode::invalid_request);
  }
}

TEST_CASE("one parser reads many messages") {
  MessageParser parser;
  const std::string chunked = head("POST /1 HTTP/1.1", {"Host: h", "Transfer-Encoding: chunked"});
  const std::string plain = head("GET /2 HTTP/1.1");
  for (int round = 0; round < 3; ++round) {
    Request first, second;
    REQUIRE(parser.parse_head(chunked, first).has_value());
    std::string out;
    CHECK(parser.decode_chunks("1\r\nx\r\n0\r\n\r\n", out)->done);
    CHECK(out == "x");
    const auto framing = parser.parse_head(plain, second);
    REQUIRE(framing.has_value());
    CHECK(framing->body == BodyKind::none);
    CHECK(second.headers.size() == 1);
  }
}

}  // namespace sa
