// A server process of its own: with no terminal, its output in a log, and of our descriptors only the lock and a pipe on which
// it tells that it is ready. Our child; it outlives us. Blocking; any thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/failure.h"
#include "base/unique_fd.h"

namespace sa {

class DetachedServer {
 public:
  // Runs `program server` with the words and --ready-fd. `lock` is handed on and stays ours too. Failure: it cannot be run.
  static Outcome<DetachedServer> start(const std::string& program, const std::vector<std::string>& words,
                                       const std::string& log, int lock);

  pid_t pid() const { return pid_; }
  // Returns when it is ready. One that is not by then is killed. Failure: what it said on its stderr.
  Outcome<void> wait_until_ready(TimePoint deadline);

 private:
  DetachedServer(pid_t pid, UniqueFd ready, std::string log, off_t log_start);
  Failure explain(int status) const;

  pid_t pid_;
  UniqueFd ready_;
  std::string log_;
  off_t log_start_;  // what it wrote begins here
};

// What a command said on stderr when it failed: "error: what", "  why", "  try: what to do". `text` may hold other lines before
// it; without such lines, its last line is the reason.
Failure failure_said_in(const std::string& text, Exit exit);

}  // namespace sa
