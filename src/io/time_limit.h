// An end to a wait: when the time is up, over() is true and the signal is notified. Lives in the frame that waits.
#pragma once

#include "io/signal.h"
#include "io/timer.h"

namespace sa {

class TimeLimit {
 public:
  TimeLimit(Loop& loop, Millis duration, Signal& signal) : timer_(loop) {
    timer_.arm_in(duration, [this, &signal] {
      over_ = true;
      signal.notify();
    });
  }
  bool over() const { return over_; }

 private:
  Timer timer_;
  bool over_ = false;
};

}  // namespace sa
