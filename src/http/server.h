// Listens, accepts, and owns the list of live connections so that they can be ended. Loop thread only. One per daemon.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "http/connection.h"
#include "io/timer.h"

namespace sa {

struct BoundAddress {
  std::string host;  // as given
  std::uint16_t port = 0;
};

class HttpServer {
 public:
  HttpServer(Loop& loop, WorkerPool& pool, const HttpLimits& settings);

  void set_application(std::function<Task<Response>(Request&, std::uint64_t&)> application) {
    context_.application = std::move(application);
  }

  // Binds and listens; an IPv4 or IPv6 address or "localhost". The error's detail starts with the reason; `error_number` is
  // what the system said, such as EADDRINUSE.
  Result<BoundAddress> listen(const std::string& host, std::uint16_t port, int& error_number);
  void start_accepting();

  // No new connections; idle ones end, busy ones end after their answer.
  void drain();
  // Ends every connection now.
  void abort_all();
  std::size_t connections() const { return live_.size(); }
  std::size_t max_connections() const { return max_connections_; }
  const HttpCounters& counters() const { return context_.counters; }
  std::uint64_t requests_under_way() const { return context_.counters.requests - context_.counters.answers; }
  // Notified when a connection ends while draining.
  void set_drained_signal(Signal* signal) { drained_ = signal; }

 private:
  Task<> accept_loop();
  void accept_the_last();
  void adopt(UniqueFd socket);
  void complain(const std::string& why);
  bool is_full() const { return live_.size() >= max_connections_; }

  HttpContext context_;
  AsyncFd listener_;
  Signal accept_wake_;
  Timer retry_;
  std::size_t max_connections_;
  std::optional<TimePoint> complained_at_;
  std::unordered_set<Connection*> live_;
  Signal* drained_ = nullptr;
};

}  // namespace sa
