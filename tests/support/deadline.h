// Time in tests: deadlines stretched by SA_TIME_SCALE, and waiting for a condition instead of for a duration.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

namespace rig {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The same duration on a machine or build that is slower by SA_TIME_SCALE.
milliseconds scaled(milliseconds duration);

// Polls until the condition holds; false when the (scaled) deadline passed.
bool eventually(const std::function<bool()>& condition, milliseconds deadline = milliseconds(10000));

// Whole milliseconds left until `end`, never negative, for poll().
int milliseconds_until(Clock::time_point end);

milliseconds since(Clock::time_point start);

// The shortest time that `play` says it took: others use the machine too, so it is played again, three times at most, until it
// is below the limit.
milliseconds best_of_three(milliseconds limit, const std::function<milliseconds()>& play);

struct TimedOut : std::runtime_error {
  explicit TimedOut(const std::string& waiting_for) : std::runtime_error("timed out waiting for " + waiting_for) {}
};

}  // namespace rig
