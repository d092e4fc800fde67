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
  ended_.wait(lock, [this] { return threads_ == 0; });
}

std::size_t WorkerPool::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_;
}

void WorkerPool::submit(std::function<void()> job) {
  std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  if (idle_ < jobs_.size() && threads_ < max_threads_ && !start_thread() && threads_ == 0) {
    if (!retry_.armed()) log::warn("the system allows us no thread for file work, which waits; raise the limit of processes");
    retry_later();
  }
  wake_.notify_one();
}

// False when the system allows no more threads.
bool WorkerPool::start_thread() {
  sigset_t all, before;  // signals belong to the loop thread
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool started = true;
  try {
    std::thread([this] { work(); }).detach();  // the destructor waits for it
    ++threads_;
  } catch (const std::system_error&) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

// The work waits until there is a thread for it.
void WorkerPool::retry_later() {
  retry_.arm_in(retry_time, [this] {
    const std::lock_guard lock(mutex_);
    if (!jobs_.empty() && threads_ == 0 && !start_thread()) retry_later();
  });
}

void WorkerPool::work() {
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
  --threads_;
  ended_.notify_all();  // still under the lock, for the pool may be gone right after
}

}  // namespace sa
