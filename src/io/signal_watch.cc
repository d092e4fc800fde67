#include "io/signal_watch.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/log.h"

namespace sa {

struct SignalWatch::State final : Loop::Watched {
  void on_events(std::uint32_t) override {
    signalfd_siginfo info{};
    while (::read(fd, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      queued = info.ssi_code == SI_QUEUE;
      callback(static_cast<int>(info.ssi_signo));
    }
  }

  int fd = -1;
  bool queued = false;
  std::function<void(int)> callback;
};

std::vector<int> not_ignored(std::initializer_list<int> numbers) {
  std::vector<int> heeded;
  for (const int number : numbers) {
    struct sigaction action{};
    ::sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) heeded.push_back(number);
  }
  return heeded;
}

SignalWatch::SignalWatch(Loop& loop, std::span<const int> numbers, std::function<void(int number)> callback)
    : loop_(loop), state_(std::make_unique<State>()) {
  sigset_t watched;
  sigemptyset(&watched);
  for (int number : numbers) sigaddset(&watched, number);
  ::pthread_sigmask(SIG_BLOCK, &watched, nullptr);
  fd_ = UniqueFd(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  state_->fd = fd_.get();
  state_->callback = std::move(callback);
  if (!loop_.watch(fd_.get(), EPOLLIN, *state_))
    log::give_up("signals cannot be watched for want of a descriptor; raise the limit of open files (ulimit -n)");
  loop_.add_wait();
}

SignalWatch::~SignalWatch() {
  loop_.drop_wait();
  loop_.unwatch(fd_.get(), std::move(state_));
}

bool SignalWatch::was_queued() const { return state_->queued; }

}  // namespace sa
