// Lines on their way to an agent's stdin: the first of a round of the loop is written at once, those behind it together at the
// round's end; what the pipe does not take is kept in order, and refused when too much is waiting. One writer per pipe. Loop
// thread only; owned by an instance.
#pragma once

#include <deque>
#include <string>

#include "base/result.h"
#include "io/async_fd.h"
#include "io/task.h"

namespace sa {

class Outbox {
 public:
  Outbox(Loop& loop, std::size_t max_bytes) : loop_(loop), wake_(loop), max_bytes_(max_bytes) {}

  void open(AsyncFd pipe) { pipe_ = std::move(pipe); }
  // Whether a line of `size` bytes would be taken now. Errors: overloaded, agent_io_failed (stdin is closed).
  Result<void> check(std::size_t size) const;
  // Takes a line (without its newline) that is not too much for check(). Error: agent_io_failed.
  Result<void> push(std::string line);
  // Writes what waits; runs until close(). `broken` is notified when the agent closed its end.
  Task<> run(Signal& broken);
  bool broken() const { return error_ != 0 && !closed_; }
  // The agent gets end-of-file; what waits is dropped.
  void close();
  std::size_t bytes() const { return bytes_; }

 private:
  bool write_some();
  void look_for_end();
  void fail_with(int error);
  void on_full();

  Loop& loop_;
  AsyncFd pipe_;
  Signal wake_;
  std::size_t max_bytes_;
  std::deque<std::string> lines_;
  std::size_t written_ = 0;                       // of the first line and its newline
  std::size_t bytes_ = 0;                         // waiting, newlines included
  std::uint64_t written_in_ = ~std::uint64_t{0};  // the last round of the loop that wrote at once
  bool full_ = false;                             // the pipe took nothing when it was last tried
  bool closed_ = false;
  int error_ = 0;
};

}  // namespace sa
