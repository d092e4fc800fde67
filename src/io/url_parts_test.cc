#include "io/url_parts.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

std::string resolved(std::string_view base, std::string_view reference) {
  const auto url = resolve_url(*parse_url(base), reference);
  return url ? url->text() : "refused: " + url.error();
}

}  // namespace

TEST_CASE("a URL is taken apart: scheme, host, port, target, userinfo") {
  const auto url = parse_url("HTTPS://user:p%40ss@Example.ORG:8443/a/b?c=d#e");
  REQUIRE(url);
  CHECK(url->secure);
  CHECK(url->host == "example.org");
  CHECK(url->port == 8443);
  CHECK(url->target == "/a/b?c=d");
  CHECK(url->userinfo == "user:p%40ss");
  CHECK(url->authority() == "example.org:8443");
  CHECK(url->text() == "https://example.org:8443/a/b?c=d");
}

TEST_CASE("a URL's port is that of its scheme unless it says another, and its path is at least a slash") {
  CHECK(parse_url("https://h")->endpoint() == "h:443");
  CHECK(parse_url("http://h?q")->endpoint() == "h:80");
  CHECK(parse_url("http://h?q")->target == "/?q");
  CHECK(parse_url("http://h:80/")->authority() == "h");
  CHECK(parse_url("https://h:80/")->authority() == "h:80");
  CHECK(parse_url("http://h:/")->port == 80);
}

TEST_CASE("an IPv6 address stands in brackets") {
  const auto url = parse_url("http://[::1]:8080/x");
  REQUIRE(url);
  CHECK(url->host == "::1");
  CHECK(url->authority() == "[::1]:8080");
  CHECK(parse_url("http://[::1]")->authority() == "[::1]");
}

TEST_CASE("a URL that cannot be used is refused, and the reason repeats nothing of it") {
  for (const std::string_view text : {"",
                                      "example.org",
                                      "ftp://h/",
                                      "https:/h",
                                      "http://",
                                      "http://:80/",
                                      "http://user@/",
                                      "http://h:0/",
                                      "http://h:65536/",
                                      "http://h:8o/",
                                      "http://h:80:80/",
                                      "http://[::1",
                                      "http://[1.2.3.4]/",
                                      "http://[::1]x/",
                                      "http://a b/",
                                      "http://h/a b",
                                      "http://h/\r\nX: y",
                                      "http://h\xc3\xa9/",
                                      "http://h%41/",
                                      "http://.h/",
                                      "javascript:alert"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_url(text));
  }
  CHECK_FALSE(parse_url("http://secret:word@/").error().contains("secret"));
}

TEST_CASE("a reference is resolved against the URL it was found under") {
  constexpr std::string_view base = "https://user:word@h:8443/a/b/c?d=e";
  CHECK(resolved(base, "/x") == "https://h:8443/x");
  CHECK(resolved(base, "x") == "https://h:8443/a/b/x");
  CHECK(resolved(base, "./x?y#z") == "https://h:8443/a/b/x?y");
  CHECK(resolved(base, "../x") == "https://h:8443/a/x");
  CHECK(resolved(base, "../../../../x/..") == "https://h:8443/");
  CHECK(resolved(base, "?q") == "https://h:8443/a/b/c?q");
  CHECK(resolved(base, "//other/x") == "https://other/x");
  CHECK(resolved(base, "http://other") == "http://other/");
  CHECK(resolved(base, "x?u=http://y") == "https://h:8443/a/b/x?u=http://y");
  CHECK(resolved(base, "") == "https://h:8443/a/b/c?d=e");
  CHECK(resolved(base, "ftp://other/x").starts_with("refused"));
  CHECK(resolved(base, "mailto:x").starts_with("refused"));
  CHECK(resolved(base, "/a b").starts_with("refused"));
}

TEST_CASE("only scheme, host and port together are an origin") {
  const auto url = *parse_url("https://h/a");
  CHECK(url.same_origin(*parse_url("https://x@H:443/b")));
  CHECK_FALSE(url.same_origin(*parse_url("http://h:443/a")));
  CHECK_FALSE(url.same_origin(*parse_url("https://h:444/a")));
  CHECK_FALSE(url.same_origin(*parse_url("https://www.h/a")));
}

TEST_CASE("loopback is 127.0.0.0/8, ::1 and localhost, and nothing that only looks like it") {
  for (const std::string_view host : {"127.0.0.1", "127.200.0.9", "::1", "0:0:0:0:0:0:0:1", "localhost"})
    CHECK(is_loopback(host));
  for (const std::string_view host :
       {"128.0.0.1", "127.1", "127.0.0.1.example.org", "localhost.example.org", "::2", "0.0.0.0", ""})
    CHECK_FALSE(is_loopback(host));
  CHECK(is_ip_address("::2"));
  CHECK(is_ip_address("10.0.0.1"));
  CHECK_FALSE(is_ip_address("10.0.0"));
}

}  // namespace sa
