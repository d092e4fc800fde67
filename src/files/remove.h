// Removing entries: by descriptor and name, never through a link. Blocking; any thread.
#pragma once

#include "base/result.h"
#include "base/stop_flag.h"
#include "files/resolve.h"

namespace sa {

enum class Recursive : bool { no, yes };

// A link is removed, not its target. What is no directory where one is meant is a conflict, a link to one too. A directory that
// is not empty is a conflict unless it is removed with all below it.
Result<void> remove(const Place& place, Recursive recursive, const StopFlag& stop);

}  // namespace sa
