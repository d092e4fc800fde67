// Lines on their way to an agent's stdin: written at once when the pipe takes them, kept in order when it does not, refused
// when too much is waiting. One writer per pipe. Loop thread only; owned by an instance.
#pragma once

#include <deque>
#include <string>

#include "base/result.h"
#include "io/async_fd.h"
#include "io/task.h"

namespace sa {

class Outbox {
 public:
  Outbox(Loop& loop, std::size_t max_bytes) : wake_(loop), max_bytes_(max_bytes) {}

  void open(AsyncFd pipe) { pipe_ = std::move(pipe); }
  // Whether a line of `size` bytes would be taken now. Errors: overloaded, agent_io_failed (stdin is closed).
  Result<void> check(std::size_t size) const;
  // Takes a line (without its newline) that check() allowed. Error: agent_io_failed.
  Result<void> push(std::string line);
  // Writes what waits; runs until close(). `broken` is notified when the agent closed its end and lines were lost.
  Task<> run(Signal& broken);
  bool broken() const { return error_ != 0 && !closed_; }
  // The agent gets end-of-file; what waits is dropped.
  void close();
  std::size_t bytes() const { return bytes_; }

 private:
  bool write_some();

  AsyncFd pipe_;
  Signal wake_;
  std::size_t max_bytes_;
  std::deque<std::string> lines_;
  std::size_t written_ = 0;  // of the first line and its newline
  std::size_t bytes_ = 0;    // waiting, newlines included
  bool closed_ = false;
  int error_ = 0;
};

}  // namespace sa
