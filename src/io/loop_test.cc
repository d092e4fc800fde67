// Tasks, signals and the loop that resumes them.
#include "io/loop.h"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/eventfd.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/async_fd.h"
#include "io/signal.h"
#include "io/task.h"
#include "io/timer.h"

namespace sa {
namespace {

Task<> wait_and_log(Signal& signal, std::string& log, std::string word) {
  co_await signal.wait();
  log += word;
}

Task<> log_twice(Signal& signal, std::string& log) {
  co_await signal.wait();
  log += "1";
  co_await signal.wait();
  log += "2";
}

Task<int> answer() { co_return 42; }
Task<std::unique_ptr<int>> movable() { co_return std::make_unique<int>(7); }

Task<int> sum_of_many(int count) {
  int sum = 0;
  for (; count > 0; --count) sum += co_await answer();
  co_return sum;
}

Task<> log_word(std::string& log, std::string word) {
  log += word;
  co_return;
}

Task<> yield_and_log(Loop& loop, std::string& log, std::string word) {
  co_await Yield{loop};
  log += word;
}

struct Bell {
  explicit Bell(Loop& loop) : fd(loop, UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))), heard(loop) {
    eventfd_t none = 0;
    CHECK(fd.read(reinterpret_cast<char*>(&none), sizeof none) == -1);
    fd.arm_read(heard);
  }
  void ring() const { CHECK(::eventfd_write(fd.get(), 1) == 0); }

  AsyncFd fd;
  Signal heard;
};

// Arms the timer and is busy for longer than it runs.
Task<> busy_then_ring(Bell& first, Bell& second, Timer& timer, std::function<void()> late) {
  co_await first.heard.wait();
  timer.arm_in(Millis(5), std::move(late));
  std::this_thread::sleep_for(Millis(20));
  second.ring();
}

}  // namespace

TEST_CASE("what happened while we were stopped is heard before a timer that became late meanwhile") {
  Loop loop;
  std::string log;
  Bell first(loop), second(loop);
  Timer late(loop);
  spawn(busy_then_ring(first, second, late, [&] { log += "late"; }));
  spawn(wait_and_log(second.heard, log, "heard "));
  first.ring();
  loop.run();
  CHECK(log == "heard late");
}

TEST_CASE("all who have news are heard before a timer that is late, however many they are") {
  Loop loop;
  std::string log;
  std::vector<std::unique_ptr<Bell>> bells;
  for (int at = 0; at < 600; ++at) spawn(wait_and_log(bells.emplace_back(std::make_unique<Bell>(loop))->heard, log, "."));
  for (const auto& bell : bells) bell->ring();
  Timer late(loop);
  late.arm(loop.now() - Millis(1), [&] { log += "late"; });
  loop.run();
  CHECK(log == std::string(600, '.') + "late");
}

TEST_CASE("a loop that always has news runs its timers all the same") {
  Loop loop;
  int heard = 0;
  bool late = false;
  Bell bell(loop);
  spawn([](Bell& again, int& count, const bool& done) -> Task<> {
    for (; !done && count < 1'000'000; ++count) {
      again.ring();
      co_await again.heard.wait();
      eventfd_t rung = 0;
      again.fd.read(reinterpret_cast<char*>(&rung), sizeof rung);
      again.fd.arm_read(again.heard);
    }
  }(bell, heard, late));
  Timer timer(loop);
  timer.arm_in(Millis(1), [&] { late = true; });
  loop.run();
  CHECK(late);
  CHECK(heard < 1'000'000);
}

TEST_CASE("what was posted behind a stop is done by the next run") {
  Loop loop;
  int done = 0;
  loop.post([&] {
    ++done;
    loop.stop();
  });
  loop.post([&] {
    ++done;
    loop.stop();
  });
  Timer patience(loop);
  patience.arm_in(Millis(10'000), [&] { loop.stop(); });
  loop.run();
  CHECK(done == 1);
  loop.run();
  CHECK(done == 2);
}

TEST_CASE("a task starts when it is awaited, not when it is made") {
  std::string log;
  {
    auto never = log_word(log, "never");
    auto started = log_word(log, "started");
    CHECK(log.empty());
    spawn(std::move(started));
  }
  CHECK(log == "started");
}

TEST_CASE("a task hands its value to whoever awaits it") {
  int sum = 0;
  std::unique_ptr<int> seven;
  spawn([](int& total, std::unique_ptr<int>& out) -> Task<> {
    total = co_await answer();
    out = co_await movable();
  }(sum, seven));
  CHECK(sum == 42);
  CHECK(*seven == 7);
}

TEST_CASE("a hundred thousand tasks in a row need no more stack than one") {
  int sum = 0;
  spawn([](int& total) -> Task<> { total = co_await sum_of_many(100'000); }(sum));
  CHECK(sum == 4'200'000);
}

TEST_CASE("a notification before the wait is not lost, and several count as one") {
  Loop loop;
  Signal signal(loop);
  std::string log;
  for (int i = 0; i < 3; ++i) signal.notify();
  spawn(log_twice(signal, log));
  CHECK(log == "1");
  loop.post([&] {
    CHECK(log == "1");
    signal.notify();
  });
  loop.run();
  CHECK(log == "12");
}

TEST_CASE("waiters go on after the current callback, in the order they were notified, before later work") {
  Loop loop;
  Signal a(loop), b(loop);
  std::string log;
  spawn(wait_and_log(a, log, "a"));
  spawn(wait_and_log(b, log, "b"));
  loop.post([&] {
    loop.post([&] { log += "later "; });
    b.notify();
    a.notify();
    a.notify();
    log += "callback ";
  });
  loop.run();
  CHECK(log == "callback balater ");
}

TEST_CASE("a notification from outside the loop wakes it") {
  Loop loop;
  Signal signal(loop);
  std::string log;
  spawn(wait_and_log(signal, log, "woken"));
  signal.notify();
  CHECK(log.empty());
  loop.run();
  CHECK(log == "woken");
}

TEST_CASE("what a resumed waiter makes ready runs in the same round") {
  Loop loop;
  Signal first(loop), second(loop);
  std::string log;
  spawn(wait_and_log(second, log, "second "));
  spawn([](Signal& wait_for, Signal& then, std::string& out) -> Task<> {
    co_await wait_for.wait();
    out += "first ";
    then.notify();
  }(first, second, log));
  loop.post([&] {
    first.notify();
    loop.post([&] { log += "next round"; });
  });
  loop.run();
  CHECK(log == "first second next round");
}

TEST_CASE("posted work runs in order, on the loop's thread, whoever posts it") {
  Loop loop;
  std::string log;
  std::thread::id ran_on;
  std::thread other([&] {
    for (const char* word : {"1", "2", "3"}) {
      loop.post([&log, &ran_on, word] {
        log += word;
        ran_on = std::this_thread::get_id();
      });
    }
  });
  other.join();
  loop.run();
  CHECK(log == "123");
  CHECK(ran_on == std::this_thread::get_id());
}

TEST_CASE("yielding gives the others their turn") {
  Loop loop;
  std::string log;
  loop.post([&] {
    spawn(yield_and_log(loop, log, "after"));
    log += "before ";
  });
  loop.post([&] { log += "other "; });
  loop.run();
  CHECK(log == "before other after");
}

TEST_CASE("polling does what can be done now and waits for nothing") {
  Loop loop;
  std::string log;
  Timer soon(loop), later(loop);
  soon.arm_in(Millis(0), [&] { loop.post([&] { log += "posted "; }); });
  later.arm_in(Millis(60'000), [&] { log += "too late"; });
  spawn(yield_and_log(loop, log, "yielded "));
  loop.poll();
  CHECK(log == "posted yielded ");
}

TEST_CASE("stop ends the run although work is left") {
  Loop loop;
  std::string log;
  loop.post([&] {
    log += "one";
    loop.stop();
  });
  loop.post([&] { log += "two"; });
  loop.run();
  CHECK(log == "one");
}

}  // namespace sa
