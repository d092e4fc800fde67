#include "io/timer.h"

namespace sa {

void Timer::arm(TimePoint at, std::function<void()> callback) {
  cancel();
  callback_ = std::move(callback);
  place_ = loop_.add(*this, at);
}

void Timer::cancel() {
  if (!armed()) return;
  callback_ = nullptr;
  loop_.drop(place_);
}

void Timer::expire() {
  loop_.drop(place_);
  const auto run = std::exchange(callback_, nullptr);
  run();
}

}  // namespace sa
