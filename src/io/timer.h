// One timer on the loop. arm() replaces what was armed before; destroying or cancelling it means the callback will not run.
// Loop thread only.
#pragma once

#include <functional>

#include "io/loop.h"

namespace sa {

class Timer {
 public:
  explicit Timer(Loop& loop) : loop_(loop) {}
  Timer(const Timer&) = delete;
  ~Timer() { cancel(); }

  void arm(TimePoint at, std::function<void()> callback);
  void arm_in(Millis duration, std::function<void()> callback) { arm(loop_.now() + duration, std::move(callback)); }
  void cancel();
  bool armed() const { return callback_ != nullptr; }

 private:
  friend class Loop;
  void expire();

  Loop& loop_;
  std::function<void()> callback_;
  Loop::Timers::iterator place_;  // while armed
};

}  // namespace sa
