// Moving an entry to another name or directory, also to another device. The source is never lost: until its copy is complete
// it is not touched, and what has to go is renamed out of the way before it is removed. Blocking; any thread.
#pragma once

#include "files/remove.h"
#include "files/resolve.h"

namespace sa {

enum class Overwrite : bool { no, yes };

struct Moved {
  std::string left_behind;  // where something lies that should be gone and could not be removed; empty: nowhere
};

// A link is moved, not its target. What is at `to` is a conflict unless it may be overwritten, with all below it; what the
// moved link leads to is one always. Onto itself: nothing happens. Of two names of one file the source goes. A place that means
// a directory takes one only, unless there is a directory to replace.
Result<Moved> move(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop);

}  // namespace sa
