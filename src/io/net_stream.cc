#include "io/net_stream.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "io/tls_context.h"
#include "io/url_parts.h"

namespace sa {

using Kind = FetchError::Kind;

struct NetStream::State {
  UniqueFd socket;
  int error_number = 0;  // of the last call that failed for good; 0 for the end of the stream
};

namespace {

// OpenSSL's own socket BIO would raise SIGPIPE.
template <class Stream>
struct SocketBio {
  static Stream& of(BIO* bio) { return *static_cast<Stream*>(BIO_get_data(bio)); }

  static int finish(BIO* bio, ssize_t done, int retry) {
    BIO_clear_retry_flags(bio);
    of(bio).error_number = done < 0 ? errno : 0;
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY);
    return static_cast<int>(done);
  }
  static int read(BIO* bio, char* bytes, int size) {
    return finish(bio, ::recv(of(bio).socket.get(), bytes, static_cast<std::size_t>(size), 0), BIO_FLAGS_READ);
  }
  static int write(BIO* bio, const char* bytes, int size) {
    return finish(bio, ::send(of(bio).socket.get(), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL), BIO_FLAGS_WRITE);
  }
  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static const BIO_METHOD* method() {
    static const BIO_METHOD* const made = [] {
      BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket without SIGPIPE");
      BIO_meth_set_read(method, read);
      BIO_meth_set_write(method, write);
      BIO_meth_set_ctrl(method, control);
      return method;
    }();
    return made;
  }
  static BIO* make(Stream& stream) {
    BIO* bio = BIO_new(method());
    BIO_set_data(bio, &stream);
    BIO_set_init(bio, 1);
    return bio;
  }
};

// The certificate's name or address must be this one, and the server learns which is wanted.
bool expect_host(SSL* tls, std::string host) {
  X509_VERIFY_PARAM* const rules = SSL_get0_param(tls);
  if (is_ip_address(host)) return X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1;
  if (host.ends_with('.')) host.pop_back();
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  return X509_VERIFY_PARAM_set1_host(rules, host.c_str(), host.size()) == 1 && SSL_set_tlsext_host_name(tls, host.c_str()) == 1;
}

bool is_unknown_authority(long verdict) {
  return verdict == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY || verdict == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN ||
         verdict == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT || verdict == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;
}

}  // namespace

void NetStream::TlsFree::operator()(ssl_st* tls) const { SSL_free(tls); }

NetStream::NetStream(UniqueFd socket, const FetchPatience& patience)
    : state_(std::make_unique<State>(std::move(socket))), patience_(patience) {}

NetStream::~NetStream() {
  if (tls_ && SSL_is_init_finished(tls_.get())) SSL_shutdown(tls_.get());  // told, not waited for
  ERR_clear_error();
}

std::expected<void, FetchError> NetStream::wait_for(short events) {
  auto ready = patience_.wait(state_->socket.get(), events);
  if (!ready) return std::unexpected(std::move(ready).error());
  return {};
}

std::unexpected<FetchError> NetStream::broken(int error_number) const {
  if (error_number == 0) return fail_fetch(Kind::cut_short, fmt::format("The connection to {} broke off.", patience_.peer()));
  return fail_fetch(Kind::cut_short,
                    fmt::format("The connection to {} broke off: {}.", patience_.peer(), errno_text(error_number)));
}

std::unexpected<FetchError> NetStream::tls_failed(int error) const {
  if (error == SSL_ERROR_SYSCALL) return broken(state_->error_number);
  return fail_fetch(Kind::tls, fmt::format("The TLS connection to {} failed: {}.", patience_.peer(), openssl_reason()));
}

std::unexpected<FetchError> NetStream::handshake_failed(int error, const std::string& host) const {
  const long verdict = SSL_get_verify_result(tls_.get());
  if (verdict != X509_V_OK) {
    const char* const hint = is_unknown_authority(verdict) ? "; SSL_CERT_FILE can name the authorities to trust" : "";
    return fail_fetch(Kind::tls, fmt::format("The certificate of {} is not accepted: {}{}.", host,
                                             X509_verify_cert_error_string(verdict), hint));
  }
  if (error != SSL_ERROR_SYSCALL) return tls_failed(error);
  return fail_fetch(Kind::tls, fmt::format("{} ended the connection during the TLS handshake.", host));
}

std::expected<void, FetchError> NetStream::wait_for_tls(int error) {
  return wait_for(error == SSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN);
}

std::expected<void, FetchError> NetStream::start_tls(ssl_ctx_st* context, const std::string& host) {
  ERR_clear_error();
  tls_.reset(SSL_new(context));
  constexpr unsigned char protocols[] = "\x08http/1.1";
  SSL_set_alpn_protos(tls_.get(), protocols, sizeof protocols - 1);
  if (!expect_host(tls_.get(), host))
    return fail_fetch(Kind::tls, fmt::format("The host {} cannot be used with TLS: {}.", host, openssl_reason()));
  BIO* const bio = SocketBio<State>::make(*state_);
  SSL_set_bio(tls_.get(), bio, bio);
  for (;;) {
    ERR_clear_error();
    const int done = SSL_connect(tls_.get());
    if (done == 1) return {};
    const int error = SSL_get_error(tls_.get(), done);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return handshake_failed(error, host);
    if (auto ready = wait_for_tls(error); !ready) return ready;
  }
}

std::expected<std::size_t, FetchError> NetStream::read_plain(std::span<char> buffer) {
  for (;;) {
    const ssize_t size = ::recv(state_->socket.get(), buffer.data(), buffer.size(), 0);
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno != EAGAIN && errno != EINTR) return broken(errno);
    if (auto ready = wait_for(POLLIN); !ready) return std::unexpected(std::move(ready).error());
  }
}

std::expected<std::size_t, FetchError> NetStream::read(std::span<char> buffer) {
  if (auto go_on = patience_.check(); !go_on) return std::unexpected(std::move(go_on).error());
  if (!tls_) return read_plain(buffer);
  for (;;) {
    ERR_clear_error();
    std::size_t size = 0;
    const int done = SSL_read_ex(tls_.get(), buffer.data(), buffer.size(), &size);
    if (done == 1) return size;
    const int error = SSL_get_error(tls_.get(), done);
    if (error == SSL_ERROR_ZERO_RETURN) return 0;
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return tls_failed(error);
    if (auto ready = wait_for_tls(error); !ready) return std::unexpected(std::move(ready).error());
  }
}

std::expected<std::size_t, FetchError> NetStream::write_some(std::string_view bytes) {
  for (;;) {
    if (auto go_on = patience_.check(); !go_on) return std::unexpected(std::move(go_on).error());
    if (tls_) {
      ERR_clear_error();
      std::size_t size = 0;
      const int done = SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &size);
      if (done == 1) return size;
      const int error = SSL_get_error(tls_.get(), done);
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return tls_failed(error);
      if (auto ready = wait_for_tls(error); !ready) return std::unexpected(std::move(ready).error());
    } else {
      const ssize_t size = ::send(state_->socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size >= 0) return static_cast<std::size_t>(size);
      if (errno != EAGAIN && errno != EINTR) return broken(errno);
      if (auto ready = wait_for(POLLOUT); !ready) return std::unexpected(std::move(ready).error());
    }
  }
}

std::expected<void, FetchError> NetStream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    auto written = write_some(bytes);
    if (!written) return std::unexpected(std::move(written).error());
    bytes.remove_prefix(*written);
  }
  return {};
}

}  // namespace sa
