#include "io/fetch_exchange.h"

#include <fmt/format.h>

#include <cstring>

#include "io/socket_connect.h"

namespace sa {
namespace {

using Kind = FetchError::Kind;

constexpr int switching_protocols = 101;
constexpr int first_final_status = 200;
constexpr int max_interim_answers = 16;

template <class T>
std::unexpected<FetchError> error_of(std::expected<T, FetchError>& result) {
  return std::unexpected(std::move(result).error());
}

}  // namespace

std::unexpected<FetchError> FetchExchange::not_http(const std::string& reason) const {
  return fail_fetch(Kind::protocol, fmt::format("The answer of {} is not understood: {}.", run_.patience.peer(), reason));
}

std::expected<ResponseHead, FetchError> FetchExchange::ask() {
  if (auto connected = connect(); !connected) return error_of(connected);
  run_.patience.begin_transfer();
  const bool asks_proxy = proxy_ && !step_.url.secure;
  const auto sent = send(request_head(step_, asks_proxy, asks_proxy ? proxy_->authorization : ""));
  // A server that refuses a body may answer and hang up while it is still being sent.
  if (!sent && sent.error().kind != Kind::cut_short) return std::unexpected(sent.error());

  for (int interim = 0; interim <= max_interim_answers; ++interim) {
    TRY(auto head, read_head());
    if (head.status == switching_protocols) return not_http("it changes to another protocol");
    if (head.status < first_final_status) continue;
    const auto framing = body_framing(head, step_.method);
    if (!framing) return not_http(framing.error());
    body_.emplace(*framing);
    return head;
  }
  return not_http("it is always only about to come");
}

std::expected<void, FetchError> FetchExchange::send(const std::string& head) {
  constexpr std::size_t small = 64 * 1024;  // goes out together with its head
  if (!step_.has_source && step_.body.size() <= small) return stream_->write(head + std::string(step_.body));
  if (auto sent = stream_->write(head); !sent) return sent;
  return step_.has_source ? send_source() : stream_->write(step_.body);
}

std::expected<void, FetchError> FetchExchange::send_source() {
  const auto wrong_length = [this] {
    return fail_fetch(Kind::protocol,
                      fmt::format("What is sent to {} is not as long as it was said to be.", run_.patience.peer()));
  };
  for (std::uint64_t bytes = 0;;) {
    auto piece = run_.request.more_body();
    if (auto go_on = run_.patience.check(); !go_on) return go_on;
    if (!piece) {
      const std::string text =
          fmt::format("What is sent to {} could not be had: {}", run_.patience.peer(), piece.error().detail);
      return std::unexpected(FetchError{Kind::source, text, std::move(piece).error()});
    }
    bytes += piece->size();
    if (step_.source_length && bytes > *step_.source_length) return wrong_length();
    if (piece->empty()) {
      if (!step_.source_length) return stream_->write("0\r\n\r\n");
      return bytes == *step_.source_length ? std::expected<void, FetchError>() : wrong_length();
    }
    if (!step_.source_length) *piece = fmt::format("{:x}\r\n{}\r\n", piece->size(), *piece);
    if (auto sent = stream_->write(*piece); !sent) return sent;
  }
}

std::expected<void, FetchError> FetchExchange::connect() {
  auto proxy = choose_proxy(step_.url, run_.environment);
  if (!proxy) return fail_fetch(Kind::connect, proxy.error());
  proxy_ = std::move(*proxy);
  std::string peer = step_.url.endpoint();
  if (proxy_) peer += fmt::format(" (through the proxy {}:{})", proxy_->host, proxy_->port);
  run_.patience.begin_connecting(std::move(peer));

  const UrlParts& url = step_.url;
  auto socket =
      proxy_ ? connect_socket(proxy_->host, proxy_->port, run_.patience) : connect_socket(url.host, url.port, run_.patience);
  if (!socket) return error_of(socket);
  stream_.emplace(std::move(*socket), run_.patience);
  if (!url.secure) return {};
  if (proxy_) {
    if (auto opened = open_tunnel(*proxy_); !opened) return opened;
  }
  return start_tls();
}

std::expected<void, FetchError> FetchExchange::open_tunnel(const Proxy& proxy) {
  std::string request = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", step_.url.endpoint());
  if (!proxy.authorization.empty()) request += "Proxy-Authorization: " + proxy.authorization + "\r\n";
  if (auto sent = stream_->write(request + "\r\n"); !sent) return sent;
  TRY(const auto head, read_head());
  const std::string& peer = run_.patience.peer();
  constexpr int wants_credentials = 407;
  if (head.status == wants_credentials)
    return fail_fetch(Kind::connect,
                      fmt::format("Could not connect to {}: the proxy does not accept the credentials in its URL.", peer));
  if (head.status / 100 != 2)
    return fail_fetch(Kind::connect, fmt::format("Could not connect to {}: the proxy answered {}.", peer, head.status));
  if (!unread().empty()) return not_http("the proxy sends more than its answer");
  return {};
}

std::expected<void, FetchError> FetchExchange::start_tls() {
  if (!run_.tls) {
    auto made = make_tls_context(run_.environment);
    if (!made) return fail_fetch(Kind::tls, fmt::format("{} cannot be verified. {}", step_.url.host, made.error()));
    run_.tls = std::move(*made);
  }
  return stream_->start_tls(run_.tls.get(), step_.url.host);
}

std::unexpected<FetchError> FetchExchange::ended_early() const {
  return fail_fetch(Kind::cut_short, fmt::format("The answer of {} ended before its end.", run_.patience.peer()));
}

// False at the end of the connection.
std::expected<bool, FetchError> FetchExchange::read_more() {
  TRY(const std::size_t size, stream_->read(std::span(buffer_).subspan(end_)));
  end_ += size;
  return size > 0;
}

std::expected<ResponseHead, FetchError> FetchExchange::read_head() {
  TRY(const std::size_t size, read_head_bytes());
  auto head = parse_response_head(unread().substr(0, size));
  if (!head) return not_http(head.error());
  begin_ += size;
  return std::move(*head);
}

// Until the head is complete; how long it is.
std::expected<std::size_t, FetchError> FetchExchange::read_head_bytes() {
  constexpr std::string_view beginning = "HTTP/1.";
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  for (std::size_t looked_at = 0;;) {
    if (!beginning.starts_with(unread().substr(0, beginning.size())))
      return not_http("it does not begin with an HTTP/1 status line");
    if (const auto size = find_head_end(unread().substr(looked_at))) return looked_at + *size;
    if (end_ == buffer_.size()) return not_http("its head is larger than 64 KiB");
    constexpr std::size_t part_of_empty_line = 3;
    looked_at = end_ - std::min(end_, part_of_empty_line);
    TRY(const bool has_more, read_more());
    if (!has_more) return ended_early();
  }
}

std::expected<std::string_view, FetchError> FetchExchange::next_piece() {
  while (!body_->done()) {
    std::string_view bytes = unread();
    const auto piece = body_->next(bytes);
    if (!piece) return not_http(piece.error());
    begin_ = end_ - bytes.size();
    if (!piece->empty()) return *piece;
    if (body_->done()) break;
    begin_ = end_ = 0;
    TRY(const bool has_more, read_more());
    if (!has_more && body_->is_until_close()) break;
    if (!has_more) return ended_early();
  }
  return std::string_view();
}

}  // namespace sa
