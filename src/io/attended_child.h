// A child that one coroutine attends to until nothing of it is left. What it writes is taken all the time; one wake-up stands
// for all news: output, room for input, its end, the time limit, the stop flag. Lives in the frame that attends, which must
// await end() before it goes. SIGPIPE must be ignored by the process. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/stop_flag.h"
#include "io/child.h"
#include "io/time_limit.h"

namespace sa {

class AttendedChild {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  // A time limit of 0 is none; `stop` may be null, else it outlives this.
  AttendedChild(Loop& loop, std::shared_ptr<Child> child, Millis time_limit, const StopFlag* stop, Sink out, Sink err);
  AttendedChild(const AttendedChild&) = delete;
  ~AttendedChild();

  const Child& child() const { return *child_; }
  bool timed_out() const { return limit_ && limit_->over(); }
  bool stopped() const { return stop_ && *stop_; }

  // What its stdin does not take now is kept and follows; what it never takes is lost.
  void send(std::string_view bytes);
  std::size_t unsent() const { return unsent_.size(); }
  void close_input();

  // Waits until something has changed, and takes what was written. The sinks are called meanwhile.
  Task<> news();
  // Ends the whole tree and takes its last words. Done when nothing is left, or 2 s after the grace.
  Task<> end(Millis grace);

 private:
  void look_at_stop();
  void write_some();
  void take(AsyncFd& pipe, const Sink& sink);
  static void take_rest(AsyncFd& pipe, const Sink& sink);

  Loop& loop_;
  std::shared_ptr<Child> child_;
  const StopFlag* stop_;
  Sink out_, err_;
  Signal wake_;
  Timer stop_timer_;
  std::optional<TimeLimit> limit_;
  std::string unsent_;
};

}  // namespace sa
