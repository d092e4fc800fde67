// The coroutine type of the daemon. A Task starts when it is awaited and resumes its awaiter when it is done.
// Rules: a coroutine is a function that takes its parameters by value (or by a reference the awaiter keeps alive), every
// coroutine runs to its end (nothing is destroyed while suspended), and errors are values: an exception that escapes is our
// bug and ends the process.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "io/frame_store.h"

namespace sa {

namespace detail {

struct ResumeAwaiter {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) const noexcept {
    return done.promise().awaiter;
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
#if !__has_feature(address_sanitizer)  // which should see every frame come and go
  static void* operator new(std::size_t size) { return FrameStore::take(size); }
  static void operator delete(void* frame, std::size_t size) { FrameStore::give_back(frame, size); }
#endif
  std::coroutine_handle<> awaiter;
  std::suspend_always initial_suspend() const noexcept { return {}; }
  ResumeAwaiter final_suspend() const noexcept { return {}; }
  [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() { return std::move(*value); }
};

template <>
struct Promise<void> : PromiseBase {
  void return_void() const noexcept {}
  void take() const noexcept {}
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : detail::Promise<T> {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
  };

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (frame_) frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiter) noexcept {
    frame_.promise().awaiter = awaiter;
    return frame_;
  }
  T await_resume() { return frame_.promise().take(); }

 private:
  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

namespace detail {

struct Detached {
  struct promise_type {
    Detached get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
  };
};

inline Detached run_detached(Task<> task) { co_await std::move(task); }

}  // namespace detail

// Runs a task on its own, starting now, until its first wait.
inline void spawn(Task<> task) { detail::run_detached(std::move(task)); }

}  // namespace sa
