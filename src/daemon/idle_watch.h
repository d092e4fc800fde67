// Tells when nobody has used the daemon for a while. It looks at counters now and then, so that a request costs nothing; time
// in which the daemon itself was stopped does not count. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>

#include "io/timer.h"

namespace sa {

struct Activity {
  std::uint64_t requests = 0;  // of users, so far; one more is a sign of life
  bool busy = false;           // something is going on
};

class IdleWatch {
 public:
  // `on_idle` is called once, when there was no activity for `limit`, or an eighth longer. A limit of 0: never.
  IdleWatch(Loop& loop, Millis limit, std::function<Activity()> look, std::function<void()> on_idle);

 private:
  static constexpr int looks = 16;

  void wait();
  void look();

  Timer timer_;
  Millis pause_;  // between two looks
  std::function<Activity()> look_;
  std::function<void()> on_idle_;
  std::uint64_t requests_ = 0;
  int quiet_looks_ = 0;
};

}  // namespace sa
