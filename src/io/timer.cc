#include "io/timer.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

namespace sa {

namespace asio = boost::asio;

struct Timer::State {
  explicit State(Loop& loop) : timer(loop.context()) {}
  asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, asio::io_context::executor_type> timer;
  std::function<void()> callback;
};

void Timer::arm(TimePoint at, std::function<void()> callback) {
  cancel();
  state_ = std::make_shared<State>(loop_);
  state_->callback = std::move(callback);
  state_->timer.expires_at(at);
  state_->timer.async_wait([this, state = state_](const boost::system::error_code&) {
    if (!state->callback) return;  // cancelled: `this` may be gone
    auto run = std::exchange(state->callback, nullptr);
    state_.reset();
    loop_.enter(run);
  });
}

void Timer::cancel() {
  if (!state_) return;
  state_->callback = nullptr;
  state_->timer.cancel();
  state_.reset();
}

}  // namespace sa
