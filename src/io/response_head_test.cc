#include "io/response_head.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

// Lines without their ends; the empty one is added.
std::string lines(std::initializer_list<std::string_view> all) {
  std::string head;
  for (const std::string_view line : all) head.append(line).append("\r\n");
  return head + "\r\n";
}

ResponseHead parsed(std::initializer_list<std::string_view> all) {
  auto head = parse_response_head(lines(all));
  REQUIRE(head);
  return *head;
}

using Kind = BodyFraming::Kind;

}  // namespace

TEST_CASE("a head is a status and headers, their names in lower case and their values trimmed") {
  const auto head = parsed({"HTTP/1.1 200 OK", "Content-Type:text/plain", "X-Empty:", "X-Wide: \t a b \t", "x-wide: c"});
  CHECK(head.status == 200);
  CHECK(head.is_http_1_1);
  CHECK(head.header("content-type") == "text/plain");
  CHECK(head.header("x-empty").empty());
  CHECK(head.header("x-wide") == "a b");
  CHECK(head.header("none").empty());
  CHECK(head.headers.size() == 4);
}

TEST_CASE("the phrase of a status may be missing") {
  CHECK(parsed({"HTTP/1.1 204"}).status == 204);
  CHECK(parsed({"HTTP/1.0 404 "}).status == 404);
  CHECK_FALSE(parsed({"HTTP/1.0 404 "}).is_http_1_1);
}

TEST_CASE("what is not an HTTP/1 status line is refused") {
  for (const std::string_view line :
       {"", "HTTP/2 200", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1  200", "HTTP/1.1 099", "HTTP/1.1 600", "HTTP/1.2 200 OK",
        "http/1.1 200 OK", "SSH-2.0-OpenSSH_9.2", "HTTP/1.1 200 O\x01K", "HTTP/1.1 200OK"}) {
    CAPTURE(line);
    CHECK_FALSE(parse_response_head(lines({line, "a: b"})));
  }
}

TEST_CASE("a malformed header is refused") {
  for (const std::string_view line : {"no colon", ": value", "name : value", " folded: value", "\tfolded", "a\x80: b",
                                      "a: b\nc: d", "a: b\rc", "a: \x7f", "a(: b"}) {
    CAPTURE(line);
    CHECK_FALSE(parse_response_head(lines({"HTTP/1.1 200 OK", line})));
  }
  CHECK_FALSE(parse_response_head(lines({"HTTP/1.1 200 OK", std::string_view("a: b\0c", 6)})));
  CHECK_FALSE(parse_response_head("HTTP/1.1 200 OK\r\na: b\r\n"));
  CHECK_FALSE(parse_response_head("HTTP/1.1 200 OK\r\n\r\nmore"));
  CHECK(parse_response_head("HTTP/1.1 200 OK\r\na: \xc3\xa9\r\n\r\n"));
}

TEST_CASE("the end of a head is behind its first empty line") {
  CHECK(find_head_end("HTTP/1.1 200\r\n\r\nbody\r\n\r\n") == 16);
  CHECK_FALSE(find_head_end("HTTP/1.1 200\r\n\r"));
  CHECK_FALSE(find_head_end("HTTP/1.1 200\n\n"));
}

TEST_CASE("the framing is said by the headers, and the end of the connection where they are silent") {
  const auto framing = [](std::initializer_list<std::string_view> all, std::string_view method = "GET") {
    return *body_framing(parsed(all), method);
  };
  CHECK(framing({"HTTP/1.1 200", "Content-Length: 12"}).kind == Kind::length);
  CHECK(framing({"HTTP/1.1 200", "Content-Length: 12", "content-length: 12"}).length == 12);
  CHECK(framing({"HTTP/1.1 200", "Transfer-Encoding: Chunked"}).kind == Kind::chunked);
  CHECK(framing({"HTTP/1.1 200"}).kind == Kind::until_close);
  CHECK(framing({"HTTP/1.1 204", "Content-Length: 12"}).kind == Kind::none);
  CHECK(framing({"HTTP/1.1 304", "Content-Length: 12"}).kind == Kind::none);
  CHECK(framing({"HTTP/1.1 200", "Content-Length: 12"}, "HEAD").kind == Kind::none);
}

TEST_CASE("a framing that can be read in two ways is refused") {
  const auto refused = [](std::initializer_list<std::string_view> all) { return !body_framing(parsed(all), "GET"); };
  CHECK(refused({"HTTP/1.1 200", "Content-Length: 12", "Content-Length: 13"}));
  CHECK(refused({"HTTP/1.1 200", "Content-Length: 12", "Transfer-Encoding: chunked"}));
  CHECK(refused({"HTTP/1.1 200", "Content-Length: 12, 12"}));
  CHECK(refused({"HTTP/1.1 200", "Content-Length: -1"}));
  CHECK(refused({"HTTP/1.1 200", "Content-Length: +1"}));
  CHECK(refused({"HTTP/1.1 200", "Content-Length:"}));
  CHECK(refused({"HTTP/1.1 200", "Content-Length: 99999999999999999999"}));
  CHECK(refused({"HTTP/1.1 200", "Transfer-Encoding: gzip, chunked"}));
  CHECK(refused({"HTTP/1.1 200", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"}));
  CHECK(refused({"HTTP/1.0 200", "Transfer-Encoding: chunked"}));
}

}  // namespace sa
