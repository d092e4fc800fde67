// Reading what lies in a pipe, a piece at a time, without a buffer per pipe. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/async_fd.h"

namespace sa {

enum class Got : std::uint8_t { bytes, nothing_yet, end };

// At most 128 KiB. `bytes` are valid until the next call, whatever the pipe. A pipe that is not open is at its end.
Got read_pipe(AsyncFd& pipe, std::string_view& bytes);

// How much may lie in it; 0 when it is not open.
std::size_t pipe_size(const AsyncFd& pipe);

// Lets a pipe hold as much as read_pipe() takes at once, if the system allows: fewer and larger pieces. Not for every pipe,
// because the system counts them all for its user.
void widen_pipe(const AsyncFd& pipe);

}  // namespace sa
