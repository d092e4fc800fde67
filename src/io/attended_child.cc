#include "io/attended_child.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/log.h"
#include "io/read_pipe.h"

namespace sa {
namespace {

constexpr Millis flag_look{50};     // between two looks at the stop flag
constexpr Millis kill_time{200};    // beyond the grace, for the supervisor to end the tree; then it is done without it
constexpr Millis end_slack{2'000};  // beyond the grace, then we go on without its end

}  // namespace

AttendedChild::AttendedChild(Loop& loop, std::shared_ptr<Child> child, Millis time_limit, const StopFlag* stop, Sink out,
                             Sink err)
    : loop_(loop),
      child_(std::move(child)),
      stop_(stop),
      out_(std::move(out)),
      err_(std::move(err)),
      wake_(loop),
      stop_timer_(loop) {
  child_->set_listener(&wake_);
  child_->out.arm_read(wake_);
  child_->err.arm_read(wake_);
  if (time_limit > Millis(0)) limit_.emplace(loop, time_limit, wake_);
  if (stop_) look_at_stop();
}

AttendedChild::~AttendedChild() {
  child_->set_listener(nullptr);
  for (AsyncFd* pipe : {&child_->in, &child_->out, &child_->err}) pipe->close();
}

void AttendedChild::look_at_stop() {
  if (stopped()) return wake_.notify();
  stop_timer_.arm_in(flag_look, [this] { look_at_stop(); });
}

void AttendedChild::send(std::string_view bytes) {
  if (!child_->in.is_open()) return;
  unsent_ += bytes;
  if (unsent_.size() == bytes.size()) write_some();
}

void AttendedChild::write_some() {
  while (!unsent_.empty()) {
    const ssize_t n = ::write(child_->in.get(), unsent_.data(), unsent_.size());
    if (n >= 0) {
      unsent_.erase(0, static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      return child_->in.arm_write(wake_);
    } else if (errno != EINTR) {
      return close_input();
    }
  }
}

void AttendedChild::close_input() {
  child_->in.close();
  unsent_.clear();
}

Task<> AttendedChild::news() {
  co_await wake_.wait();
  if (child_->in.is_open()) write_some();
  take(child_->out, out_);
  take(child_->err, err_);
}

void AttendedChild::take(AsyncFd& pipe, const Sink& sink) {
  std::string_view bytes;
  const Got got = read_pipe(pipe, bytes);
  if (got == Got::end) return pipe.close();
  if (got == Got::bytes) sink(bytes);
  pipe.arm_read(wake_);
}

// A descriptor that left the tree may be written to for ever.
void AttendedChild::take_rest(AsyncFd& pipe, const Sink& sink) {
  if (pipe.is_open()) pipe.something_to_read();
  std::size_t left = pipe_size(pipe);
  std::string_view bytes;
  while (left > 0 && read_pipe(pipe, bytes) == Got::bytes) {
    left -= std::min(left, bytes.size());
    sink(bytes);
  }
  pipe.close();
}

Task<> AttendedChild::end(Millis grace) {
  close_input();
  child_->stop(grace);
  const TimeLimit patience(loop_, grace + kill_time, wake_);
  const TimeLimit limit(loop_, grace + end_slack, wake_);
  while (!child_->gone() && !limit.over()) {
    if (patience.over()) child_->abandon();
    co_await news();
  }
  if (!child_->gone()) log::warn("process {} could not be ended in time; it is reaped when it goes", child_->pid());
  take_rest(child_->out, out_);
  take_rest(child_->err, err_);
}

}  // namespace sa
