#include "io/async_fd.h"

#include <fcntl.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

namespace sa {

namespace asio = boost::asio;

struct AsyncFd::State {
  using Descriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

  struct Direction {
    Signal* signal = nullptr;
    bool armed = false;
  };

  explicit State(Loop& the_loop) : loop(the_loop), descriptor(the_loop.context()) {}

  void arm(const std::shared_ptr<State>& self, Direction& direction, Descriptor::wait_type type, Signal& signal) {
    direction.signal = &signal;
    if (std::exchange(direction.armed, true)) return;
    descriptor.async_wait(type, [self, &direction](const boost::system::error_code&) {
      direction.armed = false;
      if (Signal* waiting = std::exchange(direction.signal, nullptr)) self->loop.enter([waiting] { waiting->notify(); });
    });
  }

  Loop& loop;
  Descriptor descriptor;
  Direction read;
  Direction write;
};

AsyncFd::AsyncFd(Loop& loop, UniqueFd fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
  ::fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  auto state = std::make_shared<State>(loop);
  boost::system::error_code error;
  state->descriptor.assign(fd.get(), error);
  if (error) return;
  (void)fd.release();
  state_ = std::move(state);
}

AsyncFd& AsyncFd::operator=(AsyncFd&& other) noexcept {
  if (this != &other) {
    close();
    state_ = std::move(other.state_);
  }
  return *this;
}

int AsyncFd::get() const { return state_ ? state_->descriptor.native_handle() : -1; }
void AsyncFd::arm_read(Signal& signal) { state_->arm(state_, state_->read, State::Descriptor::wait_read, signal); }
void AsyncFd::arm_write(Signal& signal) { state_->arm(state_, state_->write, State::Descriptor::wait_write, signal); }

bool AsyncFd::read_armed() const { return state_ && state_->read.armed; }

void AsyncFd::disarm() {
  if (!state_) return;
  state_->read.signal = nullptr;
  state_->write.signal = nullptr;
}

void AsyncFd::close() {
  if (!state_) return;
  disarm();
  boost::system::error_code ignored;
  state_->descriptor.close(ignored);
  state_.reset();
}

UniqueFd AsyncFd::release() {
  if (!state_) return {};
  disarm();
  UniqueFd fd(state_->descriptor.release());
  state_.reset();
  return fd;
}

}  // namespace sa
