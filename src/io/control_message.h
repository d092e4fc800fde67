// What daemon and supervisor say to each other over their SOCK_SEQPACKET pair: one fixed struct per message.
// Descriptors of the supervisor: 3 control, 4/5/6 the agent's stdin/stdout/stderr (closed once the agent runs).
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

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

// One more than a message has: so that a longer packet, of which the kernel drops the rest, is not taken for one.
inline constexpr std::size_t control_packet_bytes = sizeof(ControlMessage) + 1;

// What a packet says; nothing for one that is none of ours.
inline std::optional<ControlMessage> read_control_packet(std::string_view packet) {
  ControlMessage message;
  if (packet.size() != sizeof message) return std::nullopt;
  std::memcpy(&message, packet.data(), sizeof message);
  const bool known = message.type >= ControlType::stop && message.type <= ControlType::gone;
  return known && message.version == control_version ? std::optional(message) : std::nullopt;
}

}  // namespace sa
