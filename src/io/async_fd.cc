#include "io/async_fd.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cassert>

namespace sa {
namespace {

constexpr std::uint32_t read_events = EPOLLIN | EPOLLRDHUP;
constexpr std::uint32_t end_events = EPOLLRDHUP | EPOLLHUP | EPOLLERR;

// Of these a read takes all there is. Of a pipe perhaps not: its writer may have asked for packets.
bool is_stream_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

}  // namespace

struct AsyncFd::State final : Loop::Watched {
  explicit State(Loop& the_loop) : loop(the_loop) {}

  void on_events(std::uint32_t events) override {
    if (events & end_events) ended = true;
    if (events & (EPOLLIN | end_events)) {
      readable = true;
      notify(reader);
    }
    if (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) {
      writable = !writer;
      notify(writer);
    }
  }

  void notify(Signal*& waiting) {
    if (!waiting) return;
    loop.drop_wait();
    std::exchange(waiting, nullptr)->notify();
  }
  void set(Signal*& waiting, Signal* signal) {
    if (!waiting && signal) loop.add_wait();
    if (waiting && !signal) loop.drop_wait();
    waiting = signal;
  }

  Loop& loop;
  Signal* reader = nullptr;
  Signal* writer = nullptr;
  bool readable = true;   // until a read says otherwise
  bool ended = false;     // the other side has closed: a read will tell, once all else is read
  bool writable = false;  // reported while nobody waited
  bool watches_writing = false;
  bool short_read_is_all = false;
};

AsyncFd::AsyncFd() = default;
AsyncFd::AsyncFd(AsyncFd&&) noexcept = default;
AsyncFd::~AsyncFd() { close(); }

AsyncFd::AsyncFd(Loop& loop, UniqueFd fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
  ::fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  auto state = std::make_unique<State>(loop);
  state->short_read_is_all = is_stream_socket(fd.get());
  if (!loop.watch(fd.get(), read_events, *state)) return;
  fd_ = std::move(fd);
  state_ = std::move(state);
}

AsyncFd& AsyncFd::operator=(AsyncFd&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::move(other.fd_);
    state_ = std::move(other.state_);
  }
  return *this;
}

ssize_t AsyncFd::read(void* into, std::size_t size) {
  ssize_t n = 0;
  do {
    n = ::read(fd_.get(), into, size);
  } while (n < 0 && errno == EINTR);
  const bool used_up =
      n < 0 ? errno == EAGAIN : static_cast<std::size_t>(n) < size && state_->short_read_is_all && !state_->ended;
  if (used_up) state_->readable = false;
  return n;
}

bool AsyncFd::may_read() const { return state_ && state_->readable; }
void AsyncFd::nothing_to_read() { state_->readable = false; }
void AsyncFd::something_to_read() { state_->readable = true; }

void AsyncFd::arm_read(Signal& signal) {
  assert(is_open());
  if (state_->readable && !state_->reader) state_->loop.report_later(*state_, EPOLLIN);
  state_->set(state_->reader, &signal);
}

void AsyncFd::arm_write(Signal& signal) {
  assert(is_open());
  if (std::exchange(state_->writable, false)) state_->loop.report_later(*state_, EPOLLOUT);
  state_->set(state_->writer, &signal);
  if (std::exchange(state_->watches_writing, true)) return;
  state_->loop.watch_for(fd_.get(), read_events | EPOLLOUT, *state_);
}

void AsyncFd::lend() {
  assert(is_open());
  disarm();
  state_->loop.watch_for(fd_.get(), 0, *state_);
}

void AsyncFd::take_back() {
  assert(is_open());
  state_->readable = true;  // for all we know
  state_->loop.watch_for(fd_.get(), read_events | (state_->watches_writing ? EPOLLOUT : 0u), *state_);
}

void AsyncFd::disarm() {
  if (!state_) return;
  state_->set(state_->reader, nullptr);
  state_->set(state_->writer, nullptr);
}

void AsyncFd::leave_loop() {
  disarm();
  Loop& loop = state_->loop;
  loop.unwatch(fd_.get(), std::move(state_));
}

void AsyncFd::close() {
  if (!state_) return;
  leave_loop();
  fd_.reset();
}

UniqueFd AsyncFd::release() {
  if (!state_) return {};
  leave_loop();
  return std::move(fd_);
}

}  // namespace sa
