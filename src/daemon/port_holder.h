// Who holds a port that we wanted: for the error message only. Blocks for a moment.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace sa {

struct PortHolder {
  std::string text;      // such as "sandbox-agent 0.1.0 (pid 4711), healthy"; empty when unknown
  bool is_ours = false;  // another sandbox-agent
};

PortHolder find_port_holder(std::uint16_t port);

// Of /proc/net/tcp or tcp6: the inode of the socket that listens on the port; empty when there is none.
std::string listening_inode(std::istream& table, std::uint16_t port);

// The version that a sandbox-agent's answer to GET / names; empty when the answer is somebody else's. No more than a version
// could be: a stranger may answer anything, and this is shown on a terminal.
std::string_view version_in_answer(std::string_view answer);

}  // namespace sa
