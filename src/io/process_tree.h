// Finding the descendants of a process through /proc. Stateless; a snapshot that may be old by the time it is used, so
// callers that must catch everything repeat until nothing is left.
#pragma once

#include <sys/types.h>

#include <vector>

namespace sa {

std::vector<pid_t> children_of(pid_t parent);
std::vector<pid_t> descendants_of(pid_t root);

}  // namespace sa
