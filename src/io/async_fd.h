// A non-blocking descriptor on the loop (socket, pipe). Owns it. Callers read and write themselves and arm a wait when the
// kernel has no more for them; the given Signal is notified once per arming. Waiting needs no system call: the kernel reports
// news by itself, and what it reported is remembered until it is used up. Loop thread only.
#pragma once

#include <sys/types.h>

#include <memory>

#include "base/unique_fd.h"
#include "io/signal.h"

namespace sa {

class AsyncFd {
 public:
  AsyncFd();
  // Makes it non-blocking and close-on-exec. Not open afterwards when the kernel cannot watch it (out of memory or watches).
  AsyncFd(Loop& loop, UniqueFd fd);
  AsyncFd(AsyncFd&&) noexcept;
  AsyncFd& operator=(AsyncFd&& other) noexcept;
  ~AsyncFd();

  int get() const { return fd_.get(); }
  bool is_open() const { return state_ != nullptr; }

  // ::read(), once (again after EINTR).
  ssize_t read(void* into, std::size_t size);
  // False when all there was has been read and the kernel has reported nothing since.
  bool may_read() const;
  // For callers with system calls of their own: the kernel said EAGAIN.
  void nothing_to_read();
  // For callers who know more than the kernel has reported so far.
  void something_to_read();
  // Both need an open descriptor. Notified when may_read(), in the next round at the earliest.
  void arm_read(Signal& signal);
  // Notified when a write that met EAGAIN may be tried again.
  void arm_write(Signal& signal);
  // While another thread reads from and writes to the descriptor the loop is not woken for it. Disarms; nothing may be armed
  // until it is taken back.
  void lend();
  void take_back();
  void disarm();  // the signals given so far are not notified any more
  void close();   // pending waits end without a notification
  UniqueFd release();

 private:
  struct State;
  void leave_loop();

  UniqueFd fd_;
  std::unique_ptr<State> state_;
};

}  // namespace sa
