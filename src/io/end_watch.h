// Tells when the other side of a pipe has closed it: whoever held it has ended, however that came. What arrives is read and
// dropped. Does not own the descriptor. Loop thread only.
#pragma once

#include <functional>
#include <memory>

#include "io/loop.h"

namespace sa {

class EndWatch {
 public:
  // `on_end` is called once. A descriptor that cannot be watched, such as that of a file, has no other side: never.
  EndWatch(Loop& loop, int fd, std::function<void()> on_end);
  ~EndWatch();
  EndWatch(const EndWatch&) = delete;

  // Whether a descriptor can be watched.
  static bool can_watch(int fd);

 private:
  struct State;

  Loop& loop_;
  std::unique_ptr<State> state_;
};

}  // namespace sa
