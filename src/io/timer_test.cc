#include "io/timer.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace sa {
namespace {

using namespace std::chrono_literals;

}  // namespace

TEST_CASE("a timer runs once, not before its time") {
  Loop loop;
  Timer timer(loop);
  const TimePoint start = loop.now();
  int runs = 0;
  timer.arm_in(5ms, [&] {
    ++runs;
    CHECK(loop.now() - start >= 5ms);
    CHECK_FALSE(timer.armed());
  });
  CHECK(timer.armed());
  loop.run();
  CHECK(runs == 1);
}

TEST_CASE("timers run in the order of their times, not of their arming") {
  Loop loop;
  Timer late(loop), early(loop);
  std::string log;
  const TimePoint now = loop.now();
  late.arm(now + 6ms, [&] { log += "late"; });
  early.arm(now + 3ms, [&] { log += "early "; });
  loop.run();
  CHECK(log == "early late");
}

TEST_CASE("a cancelled or destroyed timer never runs, even when its time has come") {
  Loop loop;
  const TimePoint past = loop.now() - 1ms;
  Timer first(loop), second(loop);
  std::optional<Timer> third(std::in_place, loop);
  int runs = 0;
  first.arm(past, [&] {
    ++runs;
    second.cancel();
    third.reset();
  });
  second.arm(past, [&] { runs += 100; });
  third->arm(past, [&] { runs += 100; });
  loop.run();
  CHECK(runs == 1);
  CHECK_FALSE(second.armed());
}

TEST_CASE("arming again replaces what was armed, earlier or later") {
  Loop loop;
  Timer timer(loop);
  std::string log;
  timer.arm(loop.now() - 1ms, [&] { log += "old"; });
  timer.arm_in(2ms, [&] { log += "new"; });
  loop.run();
  CHECK(log == "new");
}

TEST_CASE("a timer may be armed again by its own callback") {
  Loop loop;
  Timer timer(loop);
  int runs = 0;
  std::function<void()> again = [&] {
    if (++runs < 3) timer.arm_in(0ms, again);
  };
  timer.arm_in(0ms, again);
  loop.run();
  CHECK(runs == 3);
}

TEST_CASE("a timer may be destroyed by its own callback") {
  Loop loop;
  auto timer = std::make_unique<Timer>(loop);
  std::string log;
  timer->arm_in(0ms, [&] {
    timer.reset();
    log += "alive";
  });
  loop.run();
  CHECK(log == "alive");
}

}  // namespace sa
