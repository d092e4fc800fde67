// What falls to the daemon when a supervisor is gone, or before it is reaped: the daemon ends it, soon. Remembers since when
// each was seen. Main thread only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/survivors.h"

namespace chaos {

class Orphans {
 public:
  // In words, those that have been with the daemon for too long. Looks a few times a second, however often it is asked.
  std::vector<std::string> look(pid_t daemon);

 private:
  std::map<pid_t, rig::Clock::time_point> since_;
  rig::Clock::time_point looked_{};
};

}  // namespace chaos
