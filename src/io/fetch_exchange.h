// One request and its answer, on a connection of its own: directly or through a proxy, with or without TLS. Blocks. Lives no
// longer than the fetch it is part of; its thread only.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "io/fetch_patience.h"
#include "io/fetch_step.h"
#include "io/net_stream.h"
#include "io/proxy_choice.h"
#include "io/response_body.h"
#include "io/tls_context.h"

namespace sa {

// What the exchanges of a fetch share.
struct FetchRun {
  const FetchRequest& request;
  const Environment& environment;
  FetchPatience patience{request};
  TlsContext tls{};  // made when the first needs it
};

class FetchExchange {
 public:
  FetchExchange(FetchRun& run, const FetchStep& step) : run_(run), step_(step) {}

  // Connects, sends the request and reads the head of the answer.
  std::expected<ResponseHead, FetchError> ask();

  // The body's length where the answer said it. After ask().
  std::optional<std::uint64_t> announced() const { return body_->announced(); }

  // The next piece of the body, valid until the next call; empty at its end. After ask().
  std::expected<std::string_view, FetchError> next_piece();

 private:
  std::expected<void, FetchError> connect();
  std::expected<void, FetchError> open_tunnel(const Proxy& proxy);
  std::expected<void, FetchError> start_tls();
  std::expected<void, FetchError> send(const std::string& head);
  std::expected<void, FetchError> send_source();
  std::expected<ResponseHead, FetchError> read_head();
  std::expected<std::size_t, FetchError> read_head_bytes();
  std::expected<bool, FetchError> read_more();
  std::unexpected<FetchError> not_http(const std::string& reason) const;
  std::unexpected<FetchError> ended_early() const;
  std::string_view unread() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }

  FetchRun& run_;
  const FetchStep& step_;
  std::optional<Proxy> proxy_;
  std::optional<NetStream> stream_;
  std::optional<ResponseBody> body_;
  std::string buffer_ = std::string(max_response_head, '\0');
  std::size_t begin_ = 0;  // of what is not read yet
  std::size_t end_ = 0;
};

}  // namespace sa
