// Threads for blocking work (disk, archives), started on demand and ended with the pool. The loop thread never blocks:
//   int n = co_await pool.run([&] { return ::pread(…); });
// The work runs on a pool thread, the coroutine goes on on the loop. Values are handed over, never shared: the awaiting frame
// owns everything the work touches and is suspended meanwhile. run() is for the loop thread only.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "io/loop.h"

namespace sa {

class WorkerPool {
 public:
  explicit WorkerPool(Loop& loop, std::size_t max_threads = 4) : loop_(loop), max_threads_(max_threads) {}
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;

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
  void work();

  Loop& loop_;
  std::size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool ending_ = false;
};

}  // namespace sa
