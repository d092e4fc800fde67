// The settings of a server that runs, by its command line and its environment, as the kernel keeps them. Blocking; any thread.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/settings.h"

namespace sa {

// Nothing when they cannot be read, or the process is no server.
std::optional<Settings> settings_of(pid_t pid);

}  // namespace sa
