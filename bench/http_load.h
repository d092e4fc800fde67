// The load generator: a number of kept-alive connections on one epoll, each with one request in flight. Every answer is
// checked: its status, its length, and for a POST that it carries the id of the request.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "servers.h"

namespace bench {

struct LoadResult {
  double cpu_us = 0;  // of the server, per request
  double p50_us = 0;
  double p99_us = 0;
  double per_second = 0;
};

class HttpLoad {
 public:
  // The connections take turns among the targets. A target under /v1/acp/ is POSTed a prompt, others are GET.
  HttpLoad(const Server& server, std::size_t connections, const std::vector<std::string>& targets);
  HttpLoad(const HttpLoad&) = delete;
  ~HttpLoad();

  LoadResult run(int milliseconds);

 private:
  struct Connection {
    int fd = -1;
    std::string request;
    std::size_t id_at = 0;  // in request; 0: it has none
    std::string in;
    std::int64_t sent_at_ns = 0;
  };

  void send_next(Connection& connection);
  bool take_answer(Connection& connection);

  const Server& server_;
  int epoll_;
  std::uint64_t next_id_;
  std::vector<Connection> connections_;
  std::vector<std::uint32_t> latencies_ns_;
};

}  // namespace bench
