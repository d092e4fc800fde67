// A copy of an entry with all below it: content, modes, times, links; owners where we may. Blocking; any thread.
#pragma once

#include <string>

#include "base/stop_flag.h"

namespace sa {

// Copies `from` to the free name `to`. Devices and sockets are refused. 0 or an errno: ECANCELED when
// stopped, EBUSY when somebody changed it meanwhile, EINVAL when the copy lies in what is copied; what was copied so far stays
// then, and is the caller's to remove. However deep it is: the number of descriptors is bounded.
int copy_tree(int from_directory, const std::string& from, int to_directory, const std::string& to, const StopFlag& stop);

}  // namespace sa
