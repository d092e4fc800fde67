#include "io/read_pipe.h"

#include <fcntl.h>

#include <cerrno>

namespace sa {
namespace {

char scratch[128 * 1024];  // the loop is one thread; used between two waits only

}  // namespace

Got read_pipe(AsyncFd& pipe, std::string_view& bytes) {
  if (!pipe.is_open()) return Got::end;
  std::size_t filled = 0;
  while (filled < sizeof scratch && pipe.may_read()) {
    const ssize_t n = pipe.read(scratch + filled, sizeof scratch - filled);
    if (n <= 0 && filled == 0 && !(n < 0 && errno == EAGAIN)) return Got::end;
    if (n <= 0) break;  // an end is met again
    filled += static_cast<std::size_t>(n);
  }
  bytes = {scratch, filled};
  return filled > 0 ? Got::bytes : Got::nothing_yet;
}

std::size_t pipe_size(const AsyncFd& pipe) {
  const int size = pipe.is_open() ? ::fcntl(pipe.get(), F_GETPIPE_SZ) : 0;
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

void widen_pipe(const AsyncFd& pipe) {
  if (pipe_size(pipe) < sizeof scratch) ::fcntl(pipe.get(), F_SETPIPE_SZ, static_cast<int>(sizeof scratch));
}

}  // namespace sa
