// For tests: a server on a loopback port that answers each connection as the test says, with or without TLS; and certificates
// made in memory. The server's one thread serves connections in turn; it ends with the server, after the handler at work.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/unique_fd.h"
#include "io/fetch.h"

namespace sa {

template <auto function>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    function(object);
  }
};
using TestKey = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using TestCertificate = std::unique_ptr<X509, FreeWith<X509_free>>;

inline void require_openssl(bool worked) {
  if (!worked) throw std::runtime_error("OpenSSL cannot make what the test needs");
}

// A certificate with its key; signed by an authority, or by itself.
struct TestIdentity {
  TestKey key;
  TestCertificate certificate;

  std::string pem() const {
    const std::unique_ptr<BIO, FreeWith<BIO_free>> out(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(out.get(), certificate.get());
    const char* bytes = nullptr;
    const long size = BIO_get_mem_data(out.get(), &bytes);
    return {bytes, static_cast<std::size_t>(size)};
  }
};

// `names` as in an extension: "DNS:localhost,IP:127.0.0.1". Valid for an hour from now, or until an hour ago.
inline TestIdentity make_identity(const TestIdentity* authority, const std::string& names, bool is_expired = false) {
  constexpr long hour = 3600;
  TestIdentity made{TestKey(EVP_EC_gen("P-256")), TestCertificate(X509_new())};
  X509* const certificate = made.certificate.get();
  static long serial = 1;
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * hour);
  X509_gmtime_adj(X509_getm_notAfter(certificate), is_expired ? -hour : hour);
  X509_set_pubkey(certificate, made.key.get());
  const std::string name = authority ? "server" : "authority " + std::to_string(serial);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509* const issuer = authority ? authority->certificate.get() : certificate;
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const auto extend = [&](int kind, const std::string& value) {
    const std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>> extension(
        X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
    require_openssl(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
  };
  extend(NID_basic_constraints, authority ? "critical,CA:FALSE" : "critical,CA:TRUE");
  if (!names.empty()) extend(NID_subject_alt_name, names);
  require_openssl(X509_sign(certificate, authority ? authority->key.get() : made.key.get(), EVP_sha256()) > 0);
  return made;
}

// One connection, seen from the server. What cannot be read or written any more is read as nothing and written to nobody.
class TestPeer {
 public:
  TestPeer(UniqueFd socket, SSL_CTX* context) : socket_(std::move(socket)) {
    const timeval patience{.tv_sec = 10, .tv_usec = 0};  // so that a test that goes wrong ends
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!context) return;
    tls_.reset(SSL_new(context));
    SSL_set_fd(tls_.get(), socket_.get());
    if (SSL_accept(tls_.get()) != 1) socket_.reset();
  }
  ~TestPeer() {
    if (tls_ && socket_ && !is_cut_) SSL_shutdown(tls_.get());
    if (socket_) ::shutdown(socket_.get(), SHUT_WR);  // what the client still sends must not make a reset of it
    wait_for_close();
  }
  TestPeer(TestPeer&&) = delete;

  explicit operator bool() const { return static_cast<bool>(socket_); }
  int socket() const { return socket_.get(); }
  std::string server_name() const {
    const char* const name = tls_ ? SSL_get_servername(tls_.get(), TLSEXT_NAMETYPE_host_name) : nullptr;
    return name ? name : "";
  }

  std::string read(std::size_t most) {
    std::string bytes(most, '\0');
    const ssize_t size =
        tls_ ? SSL_read(tls_.get(), bytes.data(), static_cast<int>(most)) : ::recv(socket_.get(), bytes.data(), most, 0);
    bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return bytes;
  }
  std::string read_head() {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
      const std::string byte = read(1);
      if (byte.empty()) break;
      head += byte;
    }
    return head;
  }
  std::string read_body(std::size_t size) {
    std::string body;
    while (body.size() < size) {
      const std::string piece = read(size - body.size());
      if (piece.empty()) break;
      body += piece;
    }
    return body;
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                                : ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
  }
  // Blocks until the client hangs up.
  void wait_for_close() {
    while (socket_ && !read(4096).empty()) {
    }
  }
  // The connection ends without the word of TLS that says so.
  void cut() { is_cut_ = true; }

 private:
  UniqueFd socket_;
  std::unique_ptr<SSL, FreeWith<SSL_free>> tls_;
  bool is_cut_ = false;
};

class FetchTestServer {
 public:
  using Handler = std::function<void(TestPeer&, const std::string& head)>;

  // `identity` outlives the constructor only.
  explicit FetchTestServer(Handler handler, const TestIdentity* identity = nullptr, int family = AF_INET)
      : handler_(std::move(handler)), is_ipv6_(family == AF_INET6) {
    if (identity) {
      context_.reset(SSL_CTX_new(TLS_server_method()));
      require_openssl(SSL_CTX_use_certificate(context_.get(), identity->certificate.get()) == 1 &&
                      SSL_CTX_use_PrivateKey(context_.get(), identity->key.get()) == 1);
    }
    listen();
    thread_ = std::thread([this] { serve(); });
  }
  ~FetchTestServer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  FetchTestServer(FetchTestServer&&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url(std::string_view path = "/") const {
    return std::string(context_ ? "https://" : "http://") + (is_ipv6_ ? "[::1]:" : "127.0.0.1:") + std::to_string(port_) +
           std::string(path);
  }
  // The heads of the requests so far.
  std::vector<std::string> heads() const {
    const std::lock_guard lock(mutex_);
    return heads_;
  }

 private:
  void listen() {
    listener_ = UniqueFd(::socket(is_ipv6_ ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in v4{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    sockaddr_in6 v6{.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    auto* const address = is_ipv6_ ? reinterpret_cast<sockaddr*>(&v6) : reinterpret_cast<sockaddr*>(&v4);
    socklen_t size = is_ipv6_ ? sizeof v6 : sizeof v4;
    if (::bind(listener_.get(), address, size) != 0 || ::listen(listener_.get(), 16) != 0)
      throw std::runtime_error("cannot listen on loopback");
    ::getsockname(listener_.get(), address, &size);
    port_ = ntohs(is_ipv6_ ? v6.sin6_port : v4.sin_port);
  }
  void serve() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    for (;;) {
      UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!socket) return;
      TestPeer peer(std::move(socket), context_.get());
      if (!peer) continue;
      const std::string head = peer.read_head();
      {
        const std::lock_guard lock(mutex_);
        heads_.push_back(head);
      }
      handler_(peer, head);
    }
  }

  Handler handler_;
  bool is_ipv6_;
  std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>> context_;
  UniqueFd listener_;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> heads_;
  std::thread thread_;
};

using TestVariables = std::map<std::string, std::string, std::less<>>;

inline Environment environment_of(TestVariables variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

// What came of a fetch: the body that the sink got, and the answer or the error.
struct Fetched {
  std::expected<FetchAnswer, FetchError> answer;
  std::string body;

  int status() const { return answer ? answer->status : 0; }
  std::string error() const { return answer ? "" : answer.error().text; }
  bool failed_as(FetchError::Kind kind) const { return !answer && answer.error().kind == kind; }
};

inline Fetched fetch_all(const FetchRequest& request, TestVariables variables = {}) {
  std::string body;
  const auto sink = [&](std::string_view bytes) -> Result<void> {
    body += bytes;
    return {};
  };
  auto answer = fetch(request, sink, environment_of(std::move(variables)));
  return {std::move(answer), std::move(body)};
}

// Carries bytes between two sockets until one of them ends.
inline void carry(int a, int b) {
  pollfd both[] = {{a, POLLIN, 0}, {b, POLLIN, 0}};
  while (::poll(both, 2, 10'000) > 0) {
    for (int from = 0; from < 2; ++from) {
      if (both[from].revents == 0) continue;
      char bytes[4096];
      const ssize_t size = ::recv(both[from].fd, bytes, sizeof bytes, 0);
      if (size <= 0) return;
      ::send(both[1 - from].fd, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    }
  }
}

}  // namespace sa
