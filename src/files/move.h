// Moving an entry to another name or directory, also to another device. The source is never lost: until the target is complete
// it is not touched. Blocking; any thread.
#pragma once

#include "files/remove.h"
#include "files/resolve.h"

namespace sa {

enum class Overwrite : bool { no, yes };

// A link is moved, not its target. What is at `to` is a conflict unless it may be overwritten, with all below it. Onto itself:
// nothing happens.
Result<void> move(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop);

}  // namespace sa
