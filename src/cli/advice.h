// The daemon's advice is for those who speak HTTP to it or choose its settings. Here it becomes what somebody does at the
// command line. Pure functions.
#pragma once

#include "cli/command.h"

namespace sa {

// For commands whose words are not those of HTTP: all but `api …`, which stay as they are.
Failure at_command_line(Failure failure, const Command& command);

}  // namespace sa
