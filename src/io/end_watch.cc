#include "io/end_watch.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sa {

struct EndWatch::State final : Loop::Watched {
  void on_events(std::uint32_t) override {
    char dropped[4096];
    for (;;) {
      const ssize_t size = ::read(fd, dropped, sizeof dropped);
      if (size > 0 || (size < 0 && errno == EINTR)) continue;
      if (size < 0 && errno == EAGAIN) return;
      if (on_end) std::exchange(on_end, nullptr)();
      return;
    }
  }

  int fd = -1;
  std::function<void()> on_end;
};

EndWatch::EndWatch(Loop& loop, int fd, std::function<void()> on_end) : loop_(loop) {
  if (!can_watch(fd)) return;
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  auto state = std::make_unique<State>();
  state->fd = fd;
  state->on_end = std::move(on_end);
  if (loop_.watch(fd, EPOLLIN | EPOLLET, *state)) state_ = std::move(state);
}

EndWatch::~EndWatch() {
  if (!state_) return;
  const int fd = state_->fd;
  loop_.unwatch(fd, std::move(state_));
}

bool EndWatch::can_watch(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

}  // namespace sa
