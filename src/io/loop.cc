#include "io/loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>

#include "base/log.h"
#include "io/timer.h"

namespace sa {
namespace {

constexpr int events_at_once = 256;
constexpr int for_ever = -1;

}  // namespace

Loop::Loop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), posted_event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event{EPOLLIN | EPOLLET, {nullptr}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, posted_event_.get(), &event) == 0) return;
  log::give_up("the event loop gets no descriptor; raise the limit of open files (ulimit -n)");
}

Loop::~Loop() = default;

void Loop::run() {
  for (;;) {
    drain();
    const TimePoint asked = now();
    const int wait = time_to_wait(asked);
    if (std::exchange(stopped_, false) || (wait == for_ever && waits_ == 0)) return;
    turn(wait, asked);
  }
}

void Loop::poll() {
  for (bool more = true; more && !std::exchange(stopped_, false);) {
    drain();
    const TimePoint asked = now();
    more = time_to_wait(asked) == 0;
    more |= turn(0, asked);
  }
}

bool Loop::turn(int wait, TimePoint asked) {
  const auto yielded = std::exchange(later_, {});
  epoll_event events[events_at_once];
  const int count = ::epoll_wait(epoll_.get(), events, events_at_once, wait);
  if (count < 0) {  // EINTR: we were stopped for a while (SIGSTOP)
    later_.insert(later_.begin(), yielded.begin(), yielded.end());
    return true;
  }
  ++round_;
  for (int at = 0; at < count; ++at)
    if (auto* watched = static_cast<Watched*>(events[at].data.ptr)) watched->on_events(events[at].events);
  report();
  drain();
  if (heard_all(count, asked)) run_timers();
  run_posted();
  ready_.insert(ready_.end(), yielded.begin(), yielded.end());
  unwatched_.clear();
  return count > 0;
}

// The kernel tells of so many descriptors at once, and of each in its turn. Before it had the time to tell of all of them
// nobody is late.
bool Loop::heard_all(int news, TimePoint asked) {
  if (heard_from_ == 0) asked_ = asked;
  heard_from_ += events_at_once;
  if (news == events_at_once && heard_from_ < watched_) return false;
  heard_from_ = 0;
  heard_until_ = asked_;
  return true;
}

// In milliseconds, rounded up: a timer never runs early.
int Loop::time_to_wait(TimePoint now) {
  {
    const std::lock_guard lock(mutex_);
    if (!posted_.empty() || !later_.empty() || !reports_.empty()) return 0;
  }
  if (timers_.empty()) return for_ever;
  const auto left = std::chrono::ceil<Millis>(timers_.begin()->first - now).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

void Loop::report() {
  const auto reports = std::exchange(reports_, {});
  for (const auto& [watched, events] : reports) watched->on_events(events);
}

void Loop::drain() {
  while (!ready_.empty()) {
    running_.swap(ready_);
    for (std::coroutine_handle<> waiter : running_) waiter.resume();
    running_.clear();
  }
}

void Loop::run_timers() {
  while (!stopped_ && !timers_.empty() && timers_.begin()->first <= heard_until_) {
    timers_.begin()->second->expire();
    drain();
  }
}

void Loop::run_posted() {
  std::vector<std::function<void()>> work;
  {
    const std::lock_guard lock(mutex_);
    work.swap(posted_);
  }
  std::size_t done = 0;
  for (; done < work.size() && !stopped_; ++done) {
    work[done]();
    drain();
  }
  if (done == work.size()) return;
  const std::lock_guard lock(mutex_);  // the rest is for the next run
  posted_.insert(posted_.begin(), std::move_iterator(work.begin() + static_cast<std::ptrdiff_t>(done)),
                 std::move_iterator(work.end()));
}

void Loop::post(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
    if (posted_.size() > 1) return;  // the loop has been told
  }
  ::eventfd_write(posted_event_.get(), 1);
}

bool Loop::watch(int fd, std::uint32_t events, Watched& watched) {
  epoll_event event{events | EPOLLET, {&watched}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) return false;
  ++watched_;
  return true;
}

void Loop::watch_for(int fd, std::uint32_t events, Watched& watched) {
  epoll_event event{events | EPOLLET, {&watched}};
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void Loop::unwatch(int fd, std::unique_ptr<Watched> watched) {
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr) == 0) --watched_;
  std::erase_if(reports_, [&](const auto& each) { return each.first == watched.get(); });
  unwatched_.push_back(std::move(watched));
}

}  // namespace sa
