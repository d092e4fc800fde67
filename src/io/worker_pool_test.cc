#include "io/worker_pool.h"

#include <doctest/doctest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <latch>

#include "base/log.h"
#include "io/task.h"
#include "io/timer.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

// A loop that waits for the pool, but not for ever: work on other threads does not keep a loop running by itself.
struct Waiting {
  Waiting() {
    patience.arm_in(10s, [this] {
      FAIL_CHECK("the work did not end");
      loop.stop();
    });
  }
  void one_done() {
    if (--open == 0) loop.stop();
  }

  Loop loop;
  Timer patience{loop};
  int open = 1;
};

struct Threads {
  std::thread::id work;
  std::thread::id resumed;
};

Task<> note_threads(Waiting& waiting, WorkerPool& pool, Threads& threads) {
  auto work = [] { return std::this_thread::get_id(); };
  threads.work = co_await pool.run(work);
  threads.resumed = std::this_thread::get_id();
  waiting.one_done();
}

Task<> square(Waiting& waiting, WorkerPool& pool, int number, std::vector<int>& out) {
  auto work = [number] { return number * number; };
  const int result = co_await pool.run(work);
  out.push_back(result);
  waiting.one_done();
}

Task<> wait_for_value(Waiting& waiting, WorkerPool& pool, std::future<int> value, int& out) {
  auto work = [&value] { return value.get(); };
  out = co_await pool.run(work);
  waiting.one_done();
}

Task<> give_value(Waiting& waiting, WorkerPool& pool, std::promise<int>& value) {
  auto work = [] { return 5; };
  value.set_value(co_await pool.run(work));
  waiting.one_done();
}

Task<> meet(Waiting& waiting, WorkerPool& pool, std::latch& all) {
  auto work = [&all] {
    all.arrive_and_wait();
    return true;
  };
  co_await pool.run(work);
  waiting.one_done();
}

template <class Parting>
Task<> leave_behind(Waiting& waiting, WorkerPool& pool) {
  auto work = [] {
    thread_local const Parting parting;  // is destroyed when its thread ends
    return static_cast<const void*>(&parting);
  };
  co_await pool.run(work);
  waiting.one_done();
}

Task<> count_at_once(Waiting& waiting, WorkerPool& pool, std::atomic<int>& running, std::atomic<int>& most) {
  auto work = [&] {
    const int now = ++running;
    int seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    return --running;
  };
  co_await pool.run(work);
  waiting.one_done();
}

// While it lives, the system has no thread for us: none with so large a stack.
class NoThreads {
 public:
  NoThreads() {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    ::pthread_attr_init(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{1} << 60);
    CHECK(::pthread_setattr_default_np(&huge) == 0);
    ::pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_;
};

}  // namespace

TEST_CASE("work runs on a thread of the pool, the coroutine goes on on the loop's") {
  Waiting waiting;
  WorkerPool pool(waiting.loop);
  Threads threads;
  spawn(note_threads(waiting, pool, threads));
  waiting.loop.run();
  CHECK(threads.work != std::thread::id{});
  CHECK(threads.work != std::this_thread::get_id());
  CHECK(threads.resumed == std::this_thread::get_id());
}

TEST_CASE("many jobs each come back once with their own result") {
  Waiting waiting;
  WorkerPool pool(waiting.loop, 3);
  std::vector<int> results;
  waiting.open = 1'000;
  for (int i = 0; i < 1'000; ++i) spawn(square(waiting, pool, i, results));
  waiting.loop.run();
  std::ranges::sort(results);
  REQUIRE(results.size() == 1'000);
  for (int i = 0; i < 1'000; ++i) CHECK(results[static_cast<std::size_t>(i)] == i * i);
}

TEST_CASE("the loop goes on while work blocks") {
  Waiting waiting;
  WorkerPool pool(waiting.loop, 1);
  std::promise<int> value;
  int result = 0;
  spawn(wait_for_value(waiting, pool, value.get_future(), result));
  waiting.loop.post([&] { value.set_value(5); });
  waiting.loop.run();
  CHECK(result == 5);
}

TEST_CASE("jobs that wait for each other run side by side, up to the bound") {
  Waiting waiting;
  WorkerPool pool(waiting.loop, 4);
  std::latch all(4);
  waiting.open = 4;
  for (int i = 0; i < 4; ++i) spawn(meet(waiting, pool, all));
  waiting.loop.run();
  CHECK(all.try_wait());
}

TEST_CASE("threads that have nothing to do end, and new work starts new ones") {
  Waiting waiting;
  WorkerPool pool(waiting.loop, 4, Millis(1));
  std::vector<int> results;
  for (int round = 1; round <= 2; ++round) {
    waiting.open = 1;
    spawn(square(waiting, pool, round, results));
    waiting.loop.run();
    CHECK(results.size() == static_cast<std::size_t>(round));
    for (int tries = 0; tries < 5'000 && pool.threads() > 0; ++tries) std::this_thread::sleep_for(1ms);
    CHECK(pool.threads() == 0);
  }
}

TEST_CASE("no thread outlives the pool, not even in its last deeds") {
  static std::atomic<bool> gone = false;
  struct Parting {
    ~Parting() {
      std::this_thread::sleep_for(20ms);
      gone = true;
    }
  };
  Waiting waiting;
  {
    WorkerPool pool(waiting.loop, 1);
    waiting.open = 1;
    spawn(leave_behind<Parting>(waiting, pool));
    waiting.loop.run();
  }
  CHECK(gone);
}

TEST_CASE("work for which there was no thread gets one later, also when the only thread does not come back") {
  Waiting waiting;
  WorkerPool pool(waiting.loop, 4);
  std::promise<int> value;
  int result = 0;
  waiting.open = 2;
  spawn(wait_for_value(waiting, pool, value.get_future(), result));
  log::set_level(log::Level::error);
  {
    const NoThreads none;
    spawn(give_value(waiting, pool, value));
    CHECK(pool.threads() == 1);
  }
  log::set_level(log::Level::info);
  waiting.loop.run();
  CHECK(result == 5);
  if (result == 0) value.set_value(0);
}

TEST_CASE("never more jobs run at once than the pool has threads") {
  Waiting waiting;
  WorkerPool pool(waiting.loop, 2);
  std::atomic<int> running = 0, most = 0;
  waiting.open = 200;
  for (int i = 0; i < 200; ++i) spawn(count_at_once(waiting, pool, running, most));
  waiting.loop.run();
  CHECK(most >= 1);
  CHECK(most <= 2);
}

}  // namespace sa
