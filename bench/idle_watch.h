// What a process does while nobody asks it for anything.
#pragma once

#include "process.h"

namespace bench {

class IdleWatch {
 public:
  explicit IdleWatch(pid_t pid) : pid_(pid), began_ns_(now_ns()), cpu_ns_(cpu_ns(pid)), wake_ups_(wake_ups(pid)) {}

  double seconds() const { return static_cast<double>(now_ns() - began_ns_) / 1e9; }
  double cpu_us_per_second() const { return static_cast<double>(cpu_ns(pid_) - cpu_ns_) / 1e3 / seconds(); }
  double wake_ups_per_second() const { return static_cast<double>(wake_ups(pid_) - wake_ups_) / seconds(); }

 private:
  pid_t pid_;
  std::int64_t began_ns_;
  std::int64_t cpu_ns_;
  std::int64_t wake_ups_;
};

// As long as the silence after which a stream gets its heartbeat: each stream that is open gets exactly one meanwhile.
inline constexpr int idle_ms = 15'000;

}  // namespace bench
