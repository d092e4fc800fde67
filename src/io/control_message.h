// What daemon and supervisor say to each other over their SOCK_SEQPACKET pair: one fixed struct per message.
// Descriptors of the supervisor: 3 control, 4/5/6 the agent's stdin/stdout/stderr (closed once the agent runs).
#pragma once

#include <cstdint>

namespace sa {

inline constexpr std::uint16_t control_version = 1;
inline constexpr int control_fd = 3;
inline constexpr int first_stdio_fd = 4;

enum class ControlType : std::uint16_t {
  stop = 1,      // to the supervisor: end the tree; first = grace in milliseconds
  started,       // from it: first = the agent's pid
  spawn_failed,  // from it: first = errno
  exited,        // from it: the agent itself ended; first = exit code or -1, second = signal or 0
  gone,          // from it: nothing of the tree is left
};

struct ControlMessage {
  std::uint16_t version = control_version;
  ControlType type{};
  std::int32_t first = 0;
  std::int32_t second = 0;
};

}  // namespace sa
