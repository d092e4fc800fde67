// Streams that are open and carry nothing.
#pragma once

#include <string>
#include <vector>

#include "http_client.h"
#include "requests.h"

namespace bench {

// Each has got its head. An instance must be behind `target`.
inline std::vector<HttpClient> open_streams(int port, const std::string& target, int count) {
  std::vector<HttpClient> streams;
  streams.reserve(static_cast<std::size_t>(count));
  for (int at = 0; at < count; ++at) {
    streams.emplace_back(port);
    streams.back().send(get(port, target));
    streams.back().receive_head();
  }
  return streams;
}

}  // namespace bench
