// Who holds a port that we wanted: for the error message only. Blocks for a moment.
#pragma once

#include <cstdint>
#include <string>

namespace sa {

struct PortHolder {
  std::string text;      // such as "sandbox-agent 0.1.0 (pid 4711), healthy"; empty when unknown
  bool is_ours = false;  // another sandbox-agent
};

PortHolder find_port_holder(std::uint16_t port);

}  // namespace sa
