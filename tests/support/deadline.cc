#include "deadline.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace rig {

milliseconds scaled(milliseconds duration) {
  static const double scale = [] {
    const char* text = std::getenv("SA_TIME_SCALE");
    return text == nullptr ? 1.0 : std::max(1.0, std::atof(text));
  }();
  return milliseconds(static_cast<std::int64_t>(static_cast<double>(duration.count()) * scale));
}

bool eventually(const std::function<bool()>& condition, milliseconds deadline) {
  const auto end = Clock::now() + scaled(deadline);
  while (!condition()) {
    if (Clock::now() >= end) return condition();
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

milliseconds best_of_three(milliseconds limit, const std::function<milliseconds()>& play) {
  auto best = play();
  for (int again = 0; best >= limit && again < 2; ++again) best = std::min(best, play());
  return best;
}

}  // namespace rig
