#include <doctest/doctest.h>

#include "base/scratch_folder.h"
#include "io/fetch_test_server.h"
#include "io/tls_context.h"

namespace sa {
namespace {

using Kind = FetchError::Kind;

constexpr const char* loopback_names = "DNS:localhost,IP:127.0.0.1,IP:::1";

FetchTestServer::Handler says(std::string bytes) {
  return [bytes = std::move(bytes)](TestPeer& peer, const std::string&) { peer.write(bytes); };
}

// An authority that is trusted through SSL_CERT_FILE.
struct Trust {
  Trust() { folder.write("ca.pem", authority.pem()); }
  TestVariables variables() const { return {{"SSL_CERT_FILE", folder.at("ca.pem")}}; }
  Fetched get(const FetchTestServer& server) const { return fetch_all({.url = server.url()}, variables()); }

  ScratchFolder folder;
  TestIdentity authority = make_identity(nullptr, "");
};

const std::string hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

// Says hello, and keeps which name it was asked for.
FetchTestServer::Handler hello_noting(std::string& name) {
  return [&name](TestPeer& peer, const std::string&) {
    name = peer.server_name();
    peer.write(hello);
  };
}

}  // namespace

TEST_CASE("https to a host with a certificate of a trusted authority works, by name and by address") {
  const Trust trust;
  const auto identity = make_identity(&trust.authority, loopback_names);
  std::string name;
  {
    const FetchTestServer server(hello_noting(name), &identity);
    const std::string by_name = "https://localhost:" + std::to_string(server.port());
    CHECK(fetch_all({.url = by_name}, trust.variables()).body == "hello");
    const auto by_address = trust.get(server);
    CHECK_MESSAGE(by_address.body == "hello", by_address.error());
  }
  CHECK(name.empty());  // an address is not a server name
  const FetchTestServer v6(says(hello), &identity, AF_INET6);
  CHECK(trust.get(v6).body == "hello");
}

TEST_CASE("a server learns the name that is wanted") {
  const Trust trust;
  const auto identity = make_identity(&trust.authority, loopback_names);
  std::string name;
  {
    const FetchTestServer server(hello_noting(name), &identity);
    CHECK(fetch_all({.url = "https://localhost:" + std::to_string(server.port())}, trust.variables()).answer);
  }
  CHECK(name == "localhost");
}

TEST_CASE("a large body comes through TLS unchanged, in both directions") {
  const Trust trust;
  const auto identity = make_identity(&trust.authority, loopback_names);
  constexpr std::size_t size = 3'000'000;
  const FetchTestServer server(
      [&](TestPeer& peer, const std::string&) {
        peer.write("HTTP/1.1 200 OK\r\n\r\n");
        peer.write(peer.read_body(size));
      },
      &identity);
  const auto fetched = fetch_all({.method = "POST", .url = server.url(), .body = std::string(size, 'x')}, trust.variables());
  CHECK_MESSAGE(fetched.body == std::string(size, 'x'), fetched.error());
}

TEST_CASE("a certificate for another name or address is not accepted") {
  const Trust trust;
  const auto identity = make_identity(&trust.authority, "DNS:example.org,DNS:127.0.0.1");
  const FetchTestServer server(says(hello), &identity);
  const auto by_name = fetch_all({.url = "https://localhost:" + std::to_string(server.port())}, trust.variables());
  CHECK(by_name.failed_as(Kind::tls));
  CHECK(by_name.error() == "The certificate of localhost is not accepted: hostname mismatch.");
  const auto by_address = trust.get(server);
  CHECK(by_address.failed_as(Kind::tls));
  CHECK(by_address.error().contains("IP address mismatch"));
}

TEST_CASE("a certificate of an unknown authority is not accepted, and the error says what could be done") {
  const Trust trust;
  const auto stranger = make_identity(nullptr, "");
  const auto identity = make_identity(&stranger, loopback_names);
  const FetchTestServer server(says(hello), &identity);
  const auto fetched = trust.get(server);
  CHECK(fetched.failed_as(Kind::tls));
  CHECK(fetched.error().contains("unable to get local issuer certificate; SSL_CERT_FILE"));
  const auto own = make_identity(nullptr, loopback_names);
  const FetchTestServer self_signed(says(hello), &own);
  CHECK(trust.get(self_signed).failed_as(Kind::tls));
}

TEST_CASE("an expired certificate is not accepted") {
  const Trust trust;
  const auto identity = make_identity(&trust.authority, loopback_names, true);
  const FetchTestServer server(says(hello), &identity);
  const auto fetched = trust.get(server);
  CHECK(fetched.failed_as(Kind::tls));
  CHECK(fetched.error().contains("certificate has expired"));
}

TEST_CASE("a TLS stream that breaks off is cut short, one that ends properly is whole") {
  const Trust trust;
  const auto identity = make_identity(&trust.authority, loopback_names);
  const FetchTestServer whole(says("HTTP/1.1 200 OK\r\n\r\nhello"), &identity);
  CHECK(trust.get(whole).body == "hello");
  const FetchTestServer cut(
      [](TestPeer& peer, const std::string&) {
        peer.write("HTTP/1.1 200 OK\r\n\r\nhello");
        peer.cut();
      },
      &identity);
  CHECK(trust.get(cut).failed_as(Kind::cut_short));
  const FetchTestServer counted(
      [](TestPeer& peer, const std::string&) {
        peer.write(hello);
        peer.cut();
      },
      &identity);
  CHECK(trust.get(counted).body == "hello");
}

TEST_CASE("a redirect from https to http is refused, also on this machine") {
  const Trust trust;
  const auto identity = make_identity(&trust.authority, loopback_names);
  const FetchTestServer plain(says(hello));
  const FetchTestServer server(says("HTTP/1.1 302 Found\r\nLocation: " + plain.url() + "\r\n\r\n"), &identity);
  CHECK(trust.get(server).failed_as(Kind::insecure));
  CHECK(plain.heads().empty());
}

TEST_CASE("authorities are what the variables name, and the error names the variable") {
  const ScratchFolder folder;
  folder.write("empty.pem", "");
  const auto context = [](TestVariables variables) { return make_tls_context(environment_of(std::move(variables))); };
  const auto missing = context({{"SSL_CERT_FILE", folder.at("none.pem")}});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().contains("SSL_CERT_FILE"));
  CHECK(missing.error().contains("No such file"));
  CHECK_FALSE(context({{"SSL_CERT_FILE", folder.at("empty.pem")}}));
  CHECK(context({{"SSL_CERT_DIR", folder.path()}}));
}

}  // namespace sa
