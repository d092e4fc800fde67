// One exchange at a time with the echo agent, over a bare pipe or over HTTP, and what it costs each party.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "http_client.h"
#include "pipe_agent.h"
#include "servers.h"

namespace bench {

// Microseconds, per exchange.
struct RoundTrips {
  double p50;
  double server_cpu;
  double total_cpu;  // of everybody: client, server, agent
};

RoundTrips over_pipe(PipeAgent& agent, int milliseconds, std::string_view text);

// A server, the connection to it and, after the first exchange, the agent behind it.
class OverHttp {
 public:
  explicit OverHttp(const Server& server);

  RoundTrips run(int milliseconds, std::string_view text);

 private:
  void exchange(std::uint64_t id, std::string_view text);

  const Server& server_;
  HttpClient client_;
  pid_t agent_ = -1;
};

}  // namespace bench
