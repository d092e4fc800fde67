// A wake-up for one waiting coroutine. Level-triggered: a notify() before the wait() is not lost, several count as one.
// The waiter looks at the world again when it wakes, so one Signal may stand for many reasons (readable, writable, an event,
// a deadline, a hang-up). Loop thread only; must outlive its waiter.
#pragma once

#include <utility>

#include "io/loop.h"

namespace sa {

class Signal {
 public:
  explicit Signal(Loop& loop) : loop_(loop) {}
  Signal(const Signal&) = delete;

  void notify() {
    if (waiter_) {
      loop_.make_ready(std::exchange(waiter_, {}));
    } else {
      set_ = true;
    }
  }

  struct Awaiter {
    Signal& signal;
    bool await_ready() const noexcept { return std::exchange(signal.set_, false); }
    void await_suspend(std::coroutine_handle<> waiter) const noexcept { signal.waiter_ = waiter; }
    void await_resume() const noexcept {}
  };
  Awaiter wait() { return Awaiter{*this}; }

 private:
  Loop& loop_;
  std::coroutine_handle<> waiter_;
  bool set_ = false;
};

}  // namespace sa
