#include "io/signal_watch.h"

#include <doctest/doctest.h>

#include <optional>
#include <utility>
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

TEST_CASE("a signal that a program queued is told from others") {
  Loop loop;
  std::vector<std::pair<int, bool>> seen;
  constexpr int numbers[] = {SIGUSR1, SIGUSR2};
  std::optional<SignalWatch> watch;
  watch.emplace(loop, numbers, [&](int number) { seen.emplace_back(number, watch->was_queued()); });
  ::pthread_sigqueue(::pthread_self(), SIGUSR1, {});
  ::raise(SIGUSR2);
  loop.poll();
  CHECK(seen == std::vector<std::pair<int, bool>>{{SIGUSR1, true}, {SIGUSR2, false}});
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
