#include "daemon/idle_watch.h"

#include <utility>

namespace sa {

IdleWatch::IdleWatch(Loop& loop, Millis limit, std::function<Activity()> look, std::function<void()> on_idle)
    : timer_(loop), pause_((limit + Millis(looks - 1)) / looks), look_(std::move(look)), on_idle_(std::move(on_idle)) {
  if (limit > Millis(0)) wait();
}

void IdleWatch::wait() {
  timer_.arm_in(pause_, [this] { look(); });
}

void IdleWatch::look() {
  const Activity now = look_();
  const bool quiet = !now.busy && now.requests == requests_;
  requests_ = now.requests;
  quiet_looks_ = quiet ? quiet_looks_ + 1 : 0;
  if (quiet_looks_ > looks) {  // what went on may have ended just before the first of them
    on_idle_();
  } else {
    wait();
  }
}

}  // namespace sa
