// Every limit and time-out, with its default. Plain numbers: the settings table fills them, the rooms obey them, tests shorten
// them.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace sa {

struct DaemonLimits {
  Millis idle_exit{0};  // the daemon ends when nobody used it for so long; 0: never
};

struct HttpLimits {
  std::size_t max_head_bytes = 64 * 1024;
  std::size_t max_json_bytes = 4u << 20;
  std::size_t max_envelope_bytes = 64u << 20;
  std::size_t max_connections = 0;  // 0: from the descriptor limit
  Millis head_timeout{30'000};      // from the first byte (or the connection's start) to the end of the head
  Millis body_timeout{30'000};      // a body that does not move
  Millis idle_timeout{120'000};     // a kept-alive connection without a request
  Millis write_timeout{60'000};     // a client that takes no bytes while bytes wait for it
  Millis heartbeat{15'000};         // silence on an event stream
};

struct InstallLimits {
  std::size_t max_artifact_bytes = std::size_t{2} << 30;
  Millis time_limit{1'800'000};  // of one download or one run of a package manager
};

struct FileLimits {
  std::size_t max_file_bytes = 0;      // of an upload; 0 for any
  std::size_t max_archive_bytes = 0;   // of an archive as it is sent; 0 for any
  std::size_t max_unpacked_bytes = 0;  // of an archive when it is unpacked; 0 for any
  std::size_t max_archives = 16;       // unpacked at a time
};

struct RingLimits {
  std::size_t max_messages = 16'384;
  std::size_t max_bytes = 32u << 20;
};

struct InstanceLimits {
  RingLimits ring;
  std::size_t total_ring_bytes = 256u << 20;  // of all rings together
  std::size_t outbox_bytes = 64u << 20;
  std::size_t max_line_bytes = 64u << 20;
  std::size_t max_instances = 256;
  Millis request_timeout{0};      // none: turns last hours
  Millis stop_grace{1'500};       // between SIGTERM and SIGKILL
  Millis reader_stall{2'000};     // a reader that takes nothing for so long may not hold the agent
  Millis reader_hold{5'000};      // and one that reads may not hold it longer than this in a row
  Millis exited_ring{3'600'000};  // an ended instance's events are kept so long
};

}  // namespace sa
