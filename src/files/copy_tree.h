// A copy of an entry with all below it: content, modes, times, links; owners where we may. Blocking; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "base/stop_flag.h"

namespace sa {

// What can be seen of a tree without opening its files: names, modes, sizes and times of change, of the tree itself all but
// its name. Two that differ: somebody changed it in between.
using TreeState = std::uint64_t;

// Of an entry with all below it, or an errno: ECANCELED when stopped, EBUSY when somebody changed it meanwhile. However deep it
// is: the number of descriptors is bounded.
std::expected<TreeState, int> tree_state(int directory, const std::string& name, const StopFlag& stop);

// Copies `from` to the free name `to`, and says in what state each of its entries was before it was copied: who writes to one
// that is copied already is seen by asking tree_state() at the end. Devices and sockets are refused. Or an errno: ECANCELED
// when stopped, EBUSY when somebody changed it meanwhile, EINVAL when the copy lies in what is copied; what was copied so far
// stays then, and is the caller's to remove. Descriptors as tree_state().
std::expected<TreeState, int> copy_tree(int from_directory, const std::string& from, int to_directory, const std::string& to,
                                        const StopFlag& stop);

}  // namespace sa
