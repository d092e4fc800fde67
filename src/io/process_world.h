// For tests: a loop with processes, and a limit to the patience of a test. The test binary re-executes itself as their
// supervisors.
#pragma once

#include <doctest/doctest.h>
#include <signal.h>

#include <optional>

#include "io/processes.h"

namespace sa {

struct ProcessWorld {
  ProcessWorld() { ::signal(SIGPIPE, SIG_IGN); }
  ProcessWorld(const ProcessWorld&) = delete;

  // Runs a task to its end, and until nothing of what it started is left.
  template <class T>
  T run(Task<T> task) {
    std::optional<T> outcome;
    go_through(keep(std::move(task), outcome));
    REQUIRE(outcome.has_value());
    return std::move(*outcome);
  }
  void run(Task<> task) { go_through(std::move(task)); }

  Loop loop;
  Processes processes{loop, Millis(50)};

 private:
  template <class T>
  static Task<> keep(Task<T> task, std::optional<T>& outcome) {
    outcome.emplace(co_await std::move(task));
  }
  Task<> then_stop(Task<> task) {
    co_await std::move(task);
    while (processes.alive() > 0) co_await Yield{loop};  // reaped a moment after the last word
    loop.stop();
  }
  void go_through(Task<> task) {
    Timer patience(loop);
    patience.arm_in(std::chrono::seconds(30), [this] {
      FAIL_CHECK("the test did not end");
      processes.kill_all();
      loop.stop();
    });
    spawn(then_stop(std::move(task)));
    loop.run();
    CHECK(processes.alive() == 0);
  }
};

}  // namespace sa
