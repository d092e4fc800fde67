// Ctrl-C as a flag, for commands that block: while one lives, SIGINT and SIGTERM set it instead of ending the process. One at a
// time.
#pragma once

#include <signal.h>

#include "base/stop_flag.h"

namespace sa {

class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;

  const StopFlag& flag() const;

 private:
  struct sigaction before_int_{};
  struct sigaction before_term_{};
};

// Whether one is set, or a signal that ends a command waits for a loop that watches it.
bool is_interrupted();

}  // namespace sa
