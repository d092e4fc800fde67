// Resolving a path below a directory without openat2: component by component, every link read and checked, ".." back on the way
// that was come. Nothing reached this way lies outside, however the tree changes meanwhile. Blocking; any thread.
#pragma once

#include <expected>
#include <string_view>

#include "base/unique_fd.h"

namespace sa {

// openat(root, path, flags) that never leaves `root`: EXDEV for a way out, absolute links included. The error is an errno.
std::expected<UniqueFd, int> walk_beneath(int root, std::string_view path, int flags);

}  // namespace sa
