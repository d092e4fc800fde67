// The one loop thread: descriptors, timers and ready coroutines. Everything below it is single-threaded; the only member that
// may be called from another thread is post().
#pragma once

#include <coroutine>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"

namespace boost::asio {
class io_context;
}

namespace sa {

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;

  void run();  // until stop() or until nothing is left to wait for
  void stop();

  TimePoint now() const { return Clock::now(); }

  // Resumes `waiter` soon: after the current callback, before the loop looks at descriptors again.
  void make_ready(std::coroutine_handle<> waiter);
  // Runs `work` on the loop thread in a later round. Safe from any thread.
  void post(std::function<void()> work);
  // Runs `callback`, then everything it made ready. Completion handlers enter our code through here.
  template <class Callback>
  void enter(Callback&& callback) {
    ++depth_;
    callback();
    if (--depth_ == 0) drain();
  }

  boost::asio::io_context& context() { return *context_; }

 private:
  void drain();

  std::unique_ptr<boost::asio::io_context> context_;
  std::vector<std::coroutine_handle<>> ready_;
  std::vector<std::coroutine_handle<>> running_;
  int depth_ = 0;
};

// Gives other descriptors and coroutines a turn: resumes in a later round of the loop.
struct Yield {
  Loop& loop;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) const {
    loop.post([waiter] { waiter.resume(); });
  }
  void await_resume() const noexcept {}
};

}  // namespace sa
