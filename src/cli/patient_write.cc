#include "cli/patient_write.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "cli/interrupt.h"
#include "cli/terminal_input.h"

namespace sa {

// A pipe or terminal that can be written to takes a piece at once; one that does not block may take less.
int write_patiently(int file, std::string_view bytes) {
  constexpr std::size_t piece = 4096;
  constexpr int look_again_ms = 100;
  while (!bytes.empty()) {
    pollfd out{file, POLLOUT, 0};
    const bool is_ready = ::poll(&out, 1, look_again_ms) > 0;
    const ssize_t written = is_ready ? ::write(file, bytes.data(), std::min(bytes.size(), piece)) : 0;
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EINTR && errno != EAGAIN) {
      return errno;
    } else {
      if (is_interrupted()) return EINTR;
      stop_if_asked();
    }
  }
  return 0;
}

}  // namespace sa
