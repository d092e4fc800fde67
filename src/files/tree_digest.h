// One number for all that a tree holds: the SHA-256 of its entries, as 64 hexadecimal digits. Owners, times, and all of the
// modes but whether a file can be run are left out. Blocking; any thread.
//
// What is hashed, one record per entry, in the order of walk_tree():
//
//   a directory       "d" SP name NUL
//   a file            "f" SP sha256(content) SP name NUL
//   a program         "x" SP sha256(content) SP name NUL        its owner may run it
//   a symbolic link   "l" SP sha256(text) SP name NUL
//
// Names are bytes, relative to the tree, with slashes; hashes are hexadecimal, in small letters. A file with several names
// counts under each. A tree without entries has the SHA-256 of nothing.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stop_flag.h"

namespace sa {

// `directory`: the open tree; `path`: its path, for words. Errors of walk_tree().
Result<std::string> tree_digest(int directory, std::string_view path, const StopFlag& stop);

}  // namespace sa
