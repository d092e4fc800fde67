#include "io/proxy_choice.h"

#include <doctest/doctest.h>

#include "io/basic_credentials.h"
#include "io/fetch_test_server.h"

namespace sa {
namespace {

// The proxy's host and port; "direct", or the reason.
std::string choice(std::string_view url, TestVariables variables) {
  const auto proxy = choose_proxy(*parse_url(url), environment_of(std::move(variables)));
  if (!proxy) return proxy.error();
  return *proxy ? (*proxy)->host + ":" + std::to_string((*proxy)->port) : "direct";
}

bool exempt(std::string_view url, std::string_view no_proxy) { return is_exempt(*parse_url(url), no_proxy); }

}  // namespace

TEST_CASE("without a variable there is no proxy") { CHECK(choice("https://h/", {}) == "direct"); }

TEST_CASE("the proxy of a scheme comes before all_proxy, and lower case before upper case") {
  CHECK(choice("https://h/", {{"https_proxy", "http://a:1"}, {"HTTPS_PROXY", "http://b:2"}}) == "a:1");
  CHECK(choice("https://h/", {{"HTTPS_PROXY", "http://b:2"}, {"all_proxy", "http://c:3"}}) == "b:2");
  CHECK(choice("https://h/", {{"https_proxy", ""}, {"ALL_PROXY", "http://c:3/"}}) == "c:3");
  CHECK(choice("http://h/", {{"https_proxy", "http://a:1"}}) == "direct");
  CHECK(choice("http://h/", {{"http_proxy", "d:4"}}) == "d:4");
  CHECK(choice("http://h/", {{"http_proxy", "d"}}) == "d:80");
}

TEST_CASE("HTTP_PROXY is not heard where a client may have set it") {
  CHECK(choice("http://h/", {{"HTTP_PROXY", "http://a:1"}}) == "a:1");
  CHECK(choice("http://h/", {{"HTTP_PROXY", "http://a:1"}, {"REQUEST_METHOD", "GET"}}) == "direct");
  CHECK(choice("http://h/", {{"http_proxy", "http://a:1"}, {"REQUEST_METHOD", "GET"}}) == "a:1");
}

TEST_CASE("loopback and exempt hosts are reached directly") {
  const TestVariables all{{"all_proxy", "http://a:1"}, {"NO_PROXY", "example.org"}};
  CHECK(choice("http://127.0.0.1/", all) == "direct");
  CHECK(choice("https://[::1]/", all) == "direct");
  CHECK(choice("https://localhost:8443/", all) == "direct");
  CHECK(choice("https://www.example.org/", all) == "direct");
  CHECK(choice("https://example.com/", all) == "a:1");
}

TEST_CASE("a proxy's userinfo becomes its credentials") {
  const auto proxy = choose_proxy(*parse_url("https://h/"), environment_of({{"https_proxy", "http://user:p%40ss@a:1"}}));
  REQUIRE(proxy);
  CHECK((*proxy)->authorization == "Basic dXNlcjpwQHNz");
  CHECK(basic_credentials("user") == "Basic dXNlcjo=");
  CHECK_FALSE(basic_credentials("a%4"));
  CHECK_FALSE(basic_credentials("a%zz"));
}

TEST_CASE("a proxy that cannot be used is refused in words without its credentials") {
  for (const char* value :
       {"socks5://u:secret@a:1", "https://u:secret@a:1", "ftp://u:secret@a:1", "u:secret@:1", "http://a:1 x"}) {
    const std::string said = choice("https://h/", {{"https_proxy", value}});
    CHECK(said.starts_with("The proxy in https_proxy cannot be used: "));
    CHECK_FALSE(said.contains("secret"));
  }
}

TEST_CASE("no_proxy names hosts and what is below them, ports, addresses and ranges") {
  CHECK(exempt("https://h/", "*"));
  CHECK(exempt("https://h/", "a, H ,b"));
  CHECK(exempt("https://x.h/", "h"));
  CHECK(exempt("https://x.h/", ".h"));
  CHECK(exempt("https://x.h/", "*.h"));
  CHECK_FALSE(exempt("https://xh/", "h"));
  CHECK(exempt("https://h:8443/", "h:8443"));
  CHECK_FALSE(exempt("https://h/", "h:8443"));
  CHECK(exempt("https://10.1.2.3/", "10.0.0.0/8"));
  CHECK(exempt("https://10.1.2.3/", "10.1.2.3"));
  CHECK_FALSE(exempt("https://11.1.2.3/", "10.0.0.0/8"));
  CHECK_FALSE(exempt("https://10.1.2.3/", "2.3"));
  CHECK_FALSE(exempt("https://10.1.2.3/", "10.0.0.0/33"));
  CHECK(exempt("https://[fd00::1]/", "fd00::1"));
  CHECK(exempt("https://[fd00::1]:8443/", "[fd00::1]:8443"));
  CHECK_FALSE(exempt("https://h/", ""));
  CHECK_FALSE(exempt("https://h/", " ,, ."));
}

}  // namespace sa
