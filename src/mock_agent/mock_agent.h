// The built-in demo agent: speaks ACP v1 (JSON-RPC, one message per line) on two descriptors until its input ends.
#pragma once

#include <chrono>
#include <cstddef>

namespace sa {

// What tests shorten. The defaults are the product's.
struct MockOptions {
  std::chrono::milliseconds slow_delay{250};         // between two chunks of /slow
  std::chrono::milliseconds step_delay{100};         // between two steps of /plan, /edit, /tool and the like
  std::chrono::milliseconds drain_patience{1'000};   // on leaving: how long a reader may stall before the rest is dropped
  std::size_t max_line = std::size_t{64} << 20;      // a longer input line is refused and skipped
  std::size_t max_sessions = 256;                    // one more: the session unused for longest is forgotten
  std::size_t max_history = std::size_t{256} << 10;  // bytes kept of one conversation; the oldest go first
  int error_fd = 2;                                  // where /crash says its last words
};

// Blocks the calling thread, starts no other. Returns the process's exit code: 0 at end of input or when nobody reads
// the output any more, the code asked for by /crash. Borrows both descriptors (never closes them, restores their flags)
// and ignores SIGPIPE for the whole process.
int run_mock_agent(int in_fd, int out_fd, const MockOptions& options = {});

}  // namespace sa
