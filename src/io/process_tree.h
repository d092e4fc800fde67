// Finding the descendants of a process through /proc. Stateless; a snapshot that may be old by the time it is used, so
// callers that must catch everything repeat until nothing is left.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sa {

// What a look showed. One that is not complete (no descriptor was to be had, no memory) shows less than there is: that it
// shows none does not mean that there is none.
struct Look {
  std::vector<pid_t> pids;
  bool complete = true;
};

Look children_of(pid_t parent);

// Nearest first. A look at a wide tree takes long: at most so many processes are asked for their children.
Look descendants_of(pid_t root, std::size_t most_asked = SIZE_MAX);
Look below(std::span<const pid_t> roots, std::size_t most_asked);

// NAME=value, each with a NUL behind it. Empty for one that is at its end, just becomes another program, or may not be read by
// us; nothing when the look failed.
std::optional<std::string> environment_of(pid_t pid);

// When a process was started, and the present on the same scale (clock ticks since boot). 0 when that is not to be known.
unsigned long long start_ticks(pid_t pid);
unsigned long long now_ticks();

}  // namespace sa
