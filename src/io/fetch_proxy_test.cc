#include <doctest/doctest.h>

#include "base/scratch_folder.h"
#include "io/fetch_test_server.h"

namespace sa {
namespace {

using Kind = FetchError::Kind;

UniqueFd connect_to(std::uint16_t port) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  REQUIRE(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

std::string proxy_url(const FetchTestServer& proxy) { return "http://user:word@127.0.0.1:" + std::to_string(proxy.port()); }

FetchTestServer::Handler says(std::string bytes) {
  return [bytes = std::move(bytes)](TestPeer& peer, const std::string&) { peer.write(bytes); };
}

}  // namespace

TEST_CASE("https goes through a tunnel of the proxy, and the target's certificate is verified") {
  const ScratchFolder folder;
  const auto authority = make_identity(nullptr, "");
  folder.write("ca.pem", authority.pem());
  const auto identity = make_identity(&authority, "DNS:target.invalid");
  const FetchTestServer target(says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), &identity);
  const FetchTestServer proxy([&](TestPeer& peer, const std::string&) {
    peer.write("HTTP/1.1 200 Connection established\r\n\r\n");
    const UniqueFd upstream = connect_to(target.port());
    carry(peer.socket(), upstream.get());
  });
  const TestVariables variables{{"SSL_CERT_FILE", folder.at("ca.pem")}, {"https_proxy", proxy_url(proxy)}};
  const auto fetched = fetch_all({.url = "https://target.invalid/x", .headers = {{"Authorization", "mine"}}}, variables);
  CHECK_MESSAGE(fetched.body == "hello", fetched.error());
  const std::string tunnel = proxy.heads().at(0);
  CHECK(tunnel.starts_with("CONNECT target.invalid:443 HTTP/1.1\r\nHost: target.invalid:443\r\n"));
  CHECK(tunnel.contains("\r\nProxy-Authorization: Basic dXNlcjp3b3Jk\r\n"));
  CHECK_FALSE(tunnel.contains("mine"));
  const std::string request = target.heads().at(0);
  CHECK(request.starts_with("GET /x HTTP/1.1\r\nHost: target.invalid\r\n"));
  CHECK_FALSE(request.contains("Proxy-Authorization"));
  CHECK(fetch_all({.url = "https://other.invalid/"}, variables).failed_as(Kind::tls));
}

TEST_CASE("a proxy is asked for a http URL by all of it") {
  const FetchTestServer proxy(says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"));
  const auto fetched = fetch_all({.url = "http://target.invalid:81/x?y"}, {{"http_proxy", proxy_url(proxy)}});
  CHECK(fetched.body == "hello");
  const std::string head = proxy.heads().at(0);
  CHECK(head.starts_with("GET http://target.invalid:81/x?y HTTP/1.1\r\nHost: target.invalid:81\r\n"));
  CHECK(head.contains("\r\nProxy-Authorization: Basic dXNlcjp3b3Jk\r\n"));
}

TEST_CASE("what no_proxy names, and loopback, does not go through the proxy") {
  const FetchTestServer proxy(says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const FetchTestServer direct(says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const std::string all = proxy_url(proxy);
  CHECK(fetch_all({.url = direct.url()}, {{"all_proxy", all}}).answer);
  CHECK(fetch_all({.url = "http://x.target.invalid/"}, {{"all_proxy", all}, {"no_proxy", "target.invalid"}})
            .failed_as(Kind::resolve));
  CHECK(proxy.heads().empty());
}

TEST_CASE("a proxy that refuses, is not there or cannot be used is said so without its credentials") {
  const auto through = [](const std::string& proxy) {
    return fetch_all({.url = "https://target.invalid/"}, {{"https_proxy", proxy}});
  };
  std::string gone;
  {
    const FetchTestServer refusing(says("HTTP/1.1 403 Forbidden\r\n\r\n"));
    gone = proxy_url(refusing);
    const auto refused = through(gone);
    CHECK(refused.failed_as(Kind::connect));
    CHECK(refused.error().contains("the proxy answered 403"));
    CHECK_FALSE(refused.error().contains("word"));
  }
  const FetchTestServer asking(says("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
  CHECK(through(proxy_url(asking)).error().contains("does not accept the credentials"));
  const auto absent = through(gone);
  CHECK(absent.failed_as(Kind::connect));
  CHECK(absent.error().contains("through the proxy 127.0.0.1"));
  CHECK_FALSE(absent.error().contains("word"));
  CHECK(through("socks5://user:word@127.0.0.1:1").failed_as(Kind::connect));
}

}  // namespace sa
