// Writes all of it to a descriptor that blocks, or takes more soon: others may have made our terminal one that does not block.
// Any thread.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace sa {

// 0, or an errno; what came before it has been written.
inline int write_all(int file, std::string_view bytes) {
  constexpr int patience_ms = 1'000;  // without a byte
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      pollfd out{file, POLLOUT, 0};
      if (::poll(&out, 1, patience_ms) == 0) return EAGAIN;
      continue;
    }
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace sa
