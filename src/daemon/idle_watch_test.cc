#include "daemon/idle_watch.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

constexpr Millis limit{16};

// Runs a watch until it says that nobody is there, and counts how often it looked before.
struct WatchedDaemon {
  Loop loop;
  int looks = 0;
  int ends = 0;

  template <class Look>
  void run(Look activity) {
    IdleWatch watch(
        loop, limit,
        [this, activity] {
          if (++looks > 200) loop.stop();
          return activity(looks);
        },
        [this] { ++ends; });
    loop.run();  // to the watch's last timer
  }
};

}  // namespace

TEST_CASE("a daemon nobody uses is idle after the limit, which is said once") {
  WatchedDaemon daemon;
  const TimePoint start = Clock::now();
  daemon.run([](int) { return Activity{}; });
  CHECK(daemon.ends == 1);
  CHECK(Clock::now() - start >= limit);
}

TEST_CASE("a request begins the wait anew, wherever it came between two looks") {
  WatchedDaemon quiet;
  quiet.run([](int) { return Activity{}; });
  WatchedDaemon used;
  used.run([](int look) { return Activity{.requests = look < 10 ? 0U : 7U}; });
  CHECK(used.ends == 1);
  CHECK(used.looks == quiet.looks + 10);
}

TEST_CASE("what goes on keeps a daemon from being idle, without any request") {
  WatchedDaemon daemon;
  daemon.run([](int look) { return Activity{.requests = 3, .busy = look < 100}; });
  CHECK(daemon.ends == 1);
  CHECK(daemon.looks > 100 + 15);

  WatchedDaemon working;
  working.run([](int) { return Activity{.busy = true}; });
  CHECK(working.ends == 0);
}

TEST_CASE("without a limit nobody looks") {
  Loop loop;
  IdleWatch watch(loop, Millis(0), [] { return Activity{}; }, [] { FAIL_CHECK("it ended"); });
  loop.run();  // nothing to wait for
}

}  // namespace sa
