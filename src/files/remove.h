// Removing entries: by descriptor and name, never through a link. Blocking; any thread.
#pragma once

#include <atomic>

#include "base/result.h"
#include "files/resolve.h"

namespace sa {

using StopFlag = std::atomic<bool>;  // long work ends soon after it is set, with the error `overloaded`

enum class Recursive : bool { no, yes };

// A link is removed, not its target. A directory that is not empty is a conflict unless it is removed with all below it.
Result<void> remove(const Place& place, Recursive recursive, const StopFlag& stop);

std::unexpected<Error> fail_stopped();

}  // namespace sa
