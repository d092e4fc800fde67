// All entries of a tree in an order that depends on nothing but their names: those of a directory sorted by their bytes, each
// directory right before what is in it. Never through a link. Blocking; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "base/stop_flag.h"

namespace sa {

enum class TreeKind : std::uint8_t { directory, file, symlink };

// Valid while it is visited.
struct TreeEntry {
  TreeKind kind;
  std::string_view name;    // the way from the tree to it: bytes, with slashes
  std::string_view path;    // the same with the tree's path before it, for words
  std::string_view link;    // a symbolic link's text
  int file = -1;            // a file, open for reading
  std::uint64_t size = 0;   // of a file
  bool executable = false;  // a file, by its owner
};

using TreeVisit = std::function<Result<void>(const TreeEntry&)>;

// `directory`: the open tree, which is not visited itself; `path`: its path, for words. conflict for an entry that is no file,
// directory or link; those of file_error(); overloaded when stopped; those of `visit`, at the first of which it ends.
Result<void> walk_tree(int directory, std::string_view path, const TreeVisit& visit, const StopFlag& stop);

}  // namespace sa
