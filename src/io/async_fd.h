// A non-blocking descriptor on the loop (socket, pipe). Owns it. Callers do their own read/write system calls and arm a wait
// when the kernel says EAGAIN; the given Signal is notified once per arming. Loop thread only.
#pragma once

#include <memory>

#include "base/unique_fd.h"
#include "io/signal.h"

namespace sa {

class AsyncFd {
 public:
  AsyncFd() = default;
  // Makes it non-blocking and close-on-exec. Not open afterwards when the kernel cannot watch it (out of memory or watches).
  AsyncFd(Loop& loop, UniqueFd fd);
  AsyncFd(AsyncFd&&) noexcept = default;
  AsyncFd& operator=(AsyncFd&& other) noexcept;
  ~AsyncFd() { close(); }

  int get() const;
  bool is_open() const { return state_ != nullptr; }
  void arm_read(Signal& signal);
  void arm_write(Signal& signal);
  bool read_armed() const;  // a wait for reading is under way: the kernel has had nothing since
  void disarm();            // the signals given so far are not notified any more
  void close();             // pending waits end without a notification
  UniqueFd release();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace sa
