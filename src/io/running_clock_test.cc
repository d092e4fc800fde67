#include "io/running_clock.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

using namespace std::chrono_literals;

const TimePoint start = TimePoint{} + 100h;

}  // namespace

TEST_CASE("time that is looked at often enough is real time") {
  RunningTime time;
  CHECK(time.advance(start, false) == start);
  CHECK(time.advance(start + 250ms, true) == start + 250ms);
  CHECK(time.advance(start + 750ms, true) == start + 750ms);
  CHECK(time.advance(start + 750ms, true) == start + 750ms);
}

TEST_CASE("a hole while somebody watches counts as one tick") {
  RunningTime time;
  time.advance(start, false);
  CHECK(time.advance(start + 10s, true) == start + 250ms);
  CHECK(time.advance(start + 10s + 100ms, true) == start + 350ms);
  CHECK(time.advance(start + 20s + 100ms, true) == start + 600ms);
}

TEST_CASE("time in which nobody watches is not a hole") {
  RunningTime time;
  time.advance(start, false);
  CHECK(time.advance(start + 1h, false) == start + 1h);
}

TEST_CASE("the clock looks at itself only while it is watched") {
  Loop loop;
  RunningClock clock(loop);
  clock.watch();
  clock.watch();
  clock.unwatch();
  const TimePoint before = clock.now();
  CHECK(clock.now() >= before);
  clock.unwatch();
  loop.run();  // returns: no tick is left to wait for
}

}  // namespace sa
