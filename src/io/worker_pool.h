// Threads for blocking work (disk, archives), started on demand; one that has had nothing to do for a while ends. The loop
// thread never blocks:
//   int n = co_await pool.run([&] { return ::pread(…); });
// The work runs on a pool thread, the coroutine goes on on the loop. Values are handed over, never shared: the awaiting frame
// owns everything the work touches and is suspended meanwhile. run() is for the loop thread only.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "io/timer.h"

namespace sa {

class WorkerPool {
 public:
  explicit WorkerPool(Loop& loop, std::size_t max_threads = 16, Millis idle_time = Millis(5'000))
      : loop_(loop), max_threads_(max_threads), idle_time_(idle_time) {}
  ~WorkerPool();  // waits for work under way; no thread outlives the pool
  WorkerPool(const WorkerPool&) = delete;

  std::size_t threads() const;  // that exist now

  template <class Work>
  auto run(Work work) {
    using Value = std::invoke_result_t<Work>;
    struct Awaiter {
      WorkerPool& pool;
      Work work;
      std::optional<Value> value;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> waiter) {
        pool.submit([this, waiter] {
          value.emplace(work());
          pool.loop_.post([waiter] { waiter.resume(); });
        });
      }
      Value await_resume() { return std::move(*value); }
    };
    return Awaiter{*this, std::move(work), std::nullopt};
  }

 private:
  void submit(std::function<void()> job);
  bool wants_thread() const { return idle_ < jobs_.size() && threads_.size() < max_threads_; }
  bool start_thread();
  void retry_later();
  void work(std::list<std::thread>::iterator self);
  void join_finished();

  Loop& loop_;
  std::size_t max_threads_;
  Millis idle_time_;
  Timer retry_{loop_};  // of starting a thread, when the system has none for us
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  std::condition_variable ended_;
  std::list<std::thread> threads_;   // each moves itself to finished_ as its last deed
  std::list<std::thread> finished_;  // joined when the next one starts, and at the end
  std::size_t idle_ = 0;
  bool ending_ = false;
};

}  // namespace sa
