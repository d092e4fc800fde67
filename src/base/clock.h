// Time as the daemon sees it. Policies take a TimePoint as an argument, so tests never sleep; only io/ asks the real clock.
#pragma once

#include <chrono>

namespace sa {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Millis = std::chrono::milliseconds;

inline long long unix_millis() {
  return std::chrono::duration_cast<Millis>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace sa
