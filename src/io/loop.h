// The one loop thread: descriptors, timers and ready coroutines, over epoll. A round waits for the kernel, then resumes
// everything that has become ready, then runs due timers and posted work. A timer is due when its time had come before the
// kernel was asked: however long we were stopped (SIGSTOP, a frozen container), what happened meanwhile is heard before anybody
// is called late. Everything below it is single-threaded; the only member that may be called from another thread is post().
#pragma once

#include <coroutine>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace sa {

class Timer;

class Loop {
 public:
  // A descriptor the kernel watches, edge-triggered: it reports what is new and does not repeat itself.
  class Watched {
   public:
    virtual ~Watched() = default;
    virtual void on_events(std::uint32_t events) = 0;
  };

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;

  void run();                       // until stop() or until nothing is left to wait for
  void poll();                      // only what can be done without waiting
  void stop() { stopped_ = true; }  // posted work that has not begun is for the next run

  TimePoint now() const { return Clock::now(); }
  // Everything that happened before has been heard; what was due by then is late.
  TimePoint heard_until() const { return heard_until_; }
  // Changes whenever the loop has asked the kernel for news.
  std::uint64_t round() const { return round_; }

  // Resumes `waiter` soon: after the current callback, before the loop looks at descriptors again.
  void make_ready(std::coroutine_handle<> waiter) { ready_.push_back(waiter); }
  // Resumes `waiter` when others had their turn.
  void resume_later(std::coroutine_handle<> waiter) { later_.push_back(waiter); }
  // Runs `work` on the loop thread in a later round. Safe from any thread.
  void post(std::function<void()> work);

  // --- for AsyncFd, SignalWatch, EndWatch and Timer ---
  bool watch(int fd, std::uint32_t events, Watched& watched);  // false when the kernel cannot
  void watch_for(int fd, std::uint32_t events, Watched& watched);
  // The kernel may have reported it already in this round, so it is kept until the round is over.
  void unwatch(int fd, std::unique_ptr<Watched> watched);
  // Reports `events` in the next round, as if the kernel had: something is left, and others shall have their turn first.
  void report_later(Watched& watched, std::uint32_t events) { reports_.emplace_back(&watched, events); }
  void add_wait() { ++waits_; }  // somebody waits for a descriptor: run() goes on
  void drop_wait() { --waits_; }
  using Timers = std::multimap<TimePoint, Timer*>;  // equal times keep the order of arming
  Timers::iterator add(Timer& timer, TimePoint at) { return timers_.emplace(at, &timer); }
  void drop(Timers::iterator timer) { timers_.erase(timer); }

 private:
  bool turn(int wait, TimePoint asked);  // one round; true when the kernel had news
  int time_to_wait(TimePoint now);
  bool heard_all(int news, TimePoint asked);
  void report();
  void drain();
  void run_timers();
  void run_posted();

  UniqueFd epoll_;
  UniqueFd posted_event_;
  std::vector<std::coroutine_handle<>> ready_;
  std::vector<std::coroutine_handle<>> running_;
  std::vector<std::coroutine_handle<>> later_;
  Timers timers_;
  std::vector<std::pair<Watched*, std::uint32_t>> reports_;
  std::vector<std::unique_ptr<Watched>> unwatched_;
  std::uint64_t round_ = 0;
  TimePoint heard_until_{};
  TimePoint asked_{};           // when the rounds began in which the kernel had more news than it tells at once
  std::size_t heard_from_ = 0;  // descriptors, in those rounds
  std::size_t watched_ = 0;     // descriptors in all
  std::size_t waits_ = 0;
  bool stopped_ = false;
  std::mutex mutex_;  // of posted_
  std::vector<std::function<void()>> posted_;
};

// Gives other descriptors and coroutines a turn: resumes in a later round of the loop.
struct Yield {
  Loop& loop;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) const { loop.resume_later(waiter); }
  void await_resume() const noexcept {}
};

}  // namespace sa
