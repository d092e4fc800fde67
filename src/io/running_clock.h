// Time during which the daemon itself ran. Between watch() and unwatch() the clock is looked at every 250 ms; a longer hole
// (SIGSTOP, a suspended machine) is not counted, so nobody is called slow for time in which we did not serve them.
// Loop thread only.
#pragma once

#include "io/timer.h"

namespace sa {

// The arithmetic, separate from the loop: feed it real time, get running time.
class RunningTime {
 public:
  static constexpr Millis tick{250};
  TimePoint advance(TimePoint real, bool watched) {
    if (watched && real - last_ > 2 * tick) lost_ += real - last_ - tick;
    last_ = real;
    return real - lost_;
  }

 private:
  TimePoint last_{};
  TimePoint::duration lost_{};
};

class RunningClock {
 public:
  explicit RunningClock(Loop& loop) : loop_(loop), timer_(loop) {}

  TimePoint now() { return time_.advance(loop_.now(), watches_ > 0); }

  void watch() {
    now();
    if (watches_++ == 0) tick();
  }
  void unwatch() {
    now();
    if (--watches_ == 0) timer_.cancel();
  }

 private:
  void tick() {
    timer_.arm_in(RunningTime::tick, [this] {
      now();
      tick();
    });
  }

  Loop& loop_;
  Timer timer_;
  RunningTime time_;
  int watches_ = 0;
};

}  // namespace sa
