// Finding the descendants of a process through /proc. Stateless; a snapshot that may be old by the time it is used, so
// callers that must catch everything repeat until nothing is left.
#pragma once

#include <sys/types.h>

#include <vector>

namespace sa {

std::vector<pid_t> children_of(pid_t parent);
std::vector<pid_t> descendants_of(pid_t root);

// When a process was started, and the present on the same scale (clock ticks since boot). 0 when it is gone.
unsigned long long start_ticks(pid_t pid);
unsigned long long now_ticks();

}  // namespace sa
