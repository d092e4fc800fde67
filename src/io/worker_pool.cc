#include "io/worker_pool.h"

#include <signal.h>

#include <system_error>

#include "base/log.h"

namespace sa {
namespace {

constexpr Millis retry_time{50};

}  // namespace

WorkerPool::~WorkerPool() {
  std::unique_lock lock(mutex_);
  ending_ = true;
  wake_.notify_all();
  ended_.wait(lock, [this] { return threads_.empty(); });
  join_finished();
}

std::size_t WorkerPool::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

void WorkerPool::submit(std::function<void()> job) {
  std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  if (wants_thread() && !start_thread() && !retry_.armed()) {
    log::warn("the system allows us no thread for file work, which waits; raise the limit of processes");
    retry_later();
  }
  wake_.notify_one();
}

// False when the system allows no more threads.
bool WorkerPool::start_thread() {
  sigset_t all, before;  // signals belong to the loop thread
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  join_finished();
  bool started = true;
  const auto self = threads_.emplace(threads_.end());
  try {
    *self = std::thread([this, self] { work(self); });
  } catch (const std::system_error&) {
    threads_.erase(self);
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

// The work waits until there is a thread for it: those we have may be held up for ever. One thread at a time, until none is
// wanted.
void WorkerPool::retry_later() {
  retry_.arm_in(retry_time, [this] {
    const std::lock_guard lock(mutex_);
    if (!wants_thread()) return;
    start_thread();
    retry_later();
  });
}

// Under the lock. Those threads have let go of it for the last time; what is left of them is microseconds.
void WorkerPool::join_finished() {
  for (std::thread& thread : finished_) thread.join();
  finished_.clear();
}

void WorkerPool::work(std::list<std::thread>::iterator self) {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wake_.wait_for(lock, idle_time_, [this] { return ending_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) break;
    auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
  finished_.splice(finished_.end(), threads_, self);
  ended_.notify_all();
}

}  // namespace sa
