#include "http/server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/log.h"

namespace sa {
namespace {

constexpr int backlog = 4096;
constexpr Millis retry_pause{100};
constexpr Millis complaint_pause{60'000};
constexpr std::size_t accepts_in_a_row = 32;
constexpr std::size_t last_accepts = 256;  // who comes all the time must not keep us here

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

bool parse_address(const std::string& host, std::uint16_t port, Address& out) {
  const std::string text = equals_ignoring_case(host, "localhost") ? "127.0.0.1" : host;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&out.storage);
  if (::inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    out.length = sizeof *v4;
    return true;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&out.storage);
  if (::inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    out.length = sizeof *v6;
    return true;
  }
  return false;
}

std::uint16_t bound_port(int fd) {
  Address address;
  address.length = sizeof address.storage;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address.storage), &address.length);
  return ntohs(address.storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port
                                                     : reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port);
}

// Some descriptors stay reserved, so that a flood of connections cannot keep agents from being started.
std::size_t connections_by_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t all = static_cast<std::size_t>(limit.rlim_cur);
  return std::max<std::size_t>(4, all - std::min<std::size_t>(all / 4, 1024));
}

}  // namespace

HttpServer::HttpServer(Loop& loop, WorkerPool& pool, const HttpLimits& settings)
    : context_(loop, pool, settings),
      accept_wake_(loop),
      retry_(loop),
      max_connections_(settings.max_connections ? settings.max_connections : connections_by_descriptors()) {}

Result<BoundAddress> HttpServer::listen(const std::string& host, std::uint16_t port, int& error_number) {
  Address address;
  error_number = 0;
  if (!parse_address(host, port, address))
    return fail(ErrorCode::invalid_request,
                fmt::format("'{}' is not an IP address; use one such as 127.0.0.1, 0.0.0.0 or ::1", host));
  UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (!fd || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address.storage), address.length) != 0 ||
      ::listen(fd.get(), backlog) != 0) {
    error_number = errno;
    return fail(ErrorCode::internal, errno_text(error_number));
  }
  BoundAddress bound{host, bound_port(fd.get())};
  listener_ = AsyncFd(context_.loop, std::move(fd));
  if (!listener_.is_open()) return fail(ErrorCode::internal, "the socket cannot be watched: out of memory or watches");
  return bound;
}

void HttpServer::start_accepting() { spawn(accept_loop()); }

Task<> HttpServer::accept_loop() {
  for (std::size_t in_a_row = 0; !context_.draining;) {
    if (is_full()) {
      complain(fmt::format("{} connections are open, which is the limit", live_.size()));
      co_await accept_wake_.wait();  // a connection that ends notifies
      continue;
    }
    UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket) {
      adopt(std::move(socket));
      if (++in_a_row % accepts_in_a_row == 0) co_await Yield{context_.loop};
      continue;
    }
    if (errno == EAGAIN) {
      listener_.nothing_to_read();
      listener_.arm_read(accept_wake_);
    } else if (errno == EINTR || errno == ECONNABORTED || errno == EPROTO) {
      continue;  // the client gave up before we got to it
    } else {     // mostly descriptors or memory: somebody has to give some back
      complain(errno_text(errno));
      retry_.arm_in(retry_pause, [this] { accept_wake_.notify(); });
    }
    co_await accept_wake_.wait();
  }
  accept_the_last();
  listener_.close();
}

// Those who came before we stopped: what they have asked for is answered.
void HttpServer::accept_the_last() {
  for (std::size_t at = 0; at < last_accepts && !is_full(); ++at) {
    UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return;
    adopt(std::move(socket));
  }
}

// Now and then: a server at its limit stays there for a while.
void HttpServer::complain(const std::string& why) {
  const TimePoint now = context_.loop.now();
  if (complained_at_ && now - *complained_at_ < complaint_pause) return;
  complained_at_ = now;
  log::warn("accepting pauses: {}", why);
}

void HttpServer::adopt(UniqueFd socket) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  AsyncFd watched(context_.loop, std::move(socket));
  if (!watched.is_open()) return;
  ++context_.counters.connections;
  auto connection = std::make_unique<Connection>(context_, std::move(watched));
  live_.insert(connection.get());
  auto ended = [this](Connection& gone) {
    const bool was_full = is_full();
    live_.erase(&gone);
    if (was_full) accept_wake_.notify();
    if (drained_) drained_->notify();
  };
  spawn(Connection::serve(std::move(connection), ended));
}

void HttpServer::drain() {
  context_.draining = true;
  retry_.cancel();
  accept_wake_.notify();
  for (Connection* connection : live_) connection->drain();
}

void HttpServer::abort_all() {
  for (Connection* connection : live_) connection->abort();
}

}  // namespace sa
