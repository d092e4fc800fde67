// A connected socket, plain or with TLS on top, read and written within the patience of a fetch. Owns the socket; never raises
// SIGPIPE. One thread.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "io/fetch_patience.h"

struct ssl_ctx_st;
struct ssl_st;

namespace sa {

class NetStream {
 public:
  // `patience` outlives it.
  NetStream(UniqueFd socket, const FetchPatience& patience);
  ~NetStream();
  NetStream(NetStream&&) = delete;

  // The handshake; the certificate must be valid for `host`, a name or an address.
  std::expected<void, FetchError> start_tls(ssl_ctx_st* context, const std::string& host);

  // At least a byte; 0 when the peer ended the stream properly. With TLS a stream that only breaks off is cut_short.
  std::expected<std::size_t, FetchError> read(std::span<char> buffer);

  // All of it; cut_short when the peer takes no more.
  std::expected<void, FetchError> write(std::string_view bytes);

 private:
  struct State;  // what the socket said last, for OpenSSL's errors; at a fixed address
  struct TlsFree {
    void operator()(ssl_st* tls) const;
  };
  std::expected<std::size_t, FetchError> read_plain(std::span<char> buffer);
  std::expected<std::size_t, FetchError> write_some(std::string_view bytes);
  std::expected<void, FetchError> wait_for(short events);
  std::expected<void, FetchError> wait_for_tls(int error);
  std::unexpected<FetchError> broken(int error_number) const;
  std::unexpected<FetchError> tls_failed(int error) const;
  std::unexpected<FetchError> handshake_failed(int error, const std::string& host) const;

  std::unique_ptr<State> state_;
  const FetchPatience& patience_;
  std::unique_ptr<ssl_st, TlsFree> tls_;
};

}  // namespace sa
