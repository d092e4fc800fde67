#include "io/signal_watch.h"

#include <doctest/doctest.h>

#include <vector>

namespace sa {

TEST_CASE("a watched signal becomes a callback on the loop and interrupts nobody") {
  Loop loop;
  std::vector<int> seen;
  constexpr int numbers[] = {SIGUSR1, SIGUSR2};
  SignalWatch watch(loop, numbers, [&](int number) {
    seen.push_back(number);
    loop.stop();
  });
  ::raise(SIGUSR2);  // its default would end us
  CHECK(seen.empty());
  loop.run();
  CHECK(seen == std::vector<int>{SIGUSR2});
}

TEST_CASE("a signal that comes after the watch does no harm") {
  Loop loop;
  constexpr int numbers[] = {SIGUSR1};
  {
    const SignalWatch watch(loop, numbers, [](int) {});
  }
  ::raise(SIGUSR1);
  sigset_t pending;
  ::sigpending(&pending);
  CHECK(sigismember(&pending, SIGUSR1) == 1);
}

}  // namespace sa
