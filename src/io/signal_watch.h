// Signals of the operating system, as callbacks on the loop. From the start of the watch they are blocked, so they interrupt
// nobody; they stay so afterwards: one that comes late must not turn a clean end into a death by signal. Several of one kind
// that come before the loop gets to them may count as one.
// Loop thread only; make it before other threads start.
#pragma once

#include <signal.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "io/loop.h"

namespace sa {

// Those of `numbers` that are not ignored: nohup and shells ignore signals for programs that should outlive them.
std::vector<int> not_ignored(std::initializer_list<int> numbers);

class SignalWatch {
 public:
  SignalWatch(Loop& loop, std::span<const int> numbers, std::function<void(int number)> callback);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  // Whether the signal that the callback is called for came by sigqueue(), which is how no person and no terminal sends one.
  bool was_queued() const;

 private:
  struct State;
  Loop& loop_;
  UniqueFd fd_;
  std::unique_ptr<State> state_;
};

}  // namespace sa
