// Asks a server for its health every 2 ms, from a thread and on a connection of its own, while something else is measured.
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "servers.h"

namespace bench {

class HealthWatch {
 public:
  // Until the end of this object; how long each answer took is added to `times_ns`.
  HealthWatch(const Server& server, std::vector<std::int64_t>& times_ns);

 private:
  std::jthread thread_;
};

}  // namespace bench
