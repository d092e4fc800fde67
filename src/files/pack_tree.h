// Writes trees and small files as one tar archive, compressed with zstd, into an open descriptor. The same content gives the
// same bytes: entries are sorted, times and owners 0, modes 0755 or 0644. Symbolic links are kept as they are, a file with
// several names becomes several. Memory depends on how many names a directory has, and on nothing else. Blocking; one thread.
// Borrows the descriptor.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/stop_flag.h"
#include "files/tree_walk.h"
#include "files/zstd_writer.h"

namespace sa {

class TreePacker {
 public:
  // `path`: of the file that is written, for words.
  TreePacker(int file, std::string_view path) : out_(file, path) {}

  Result<void> add_file(std::string_view name, std::string_view content);
  // All below the open `directory`, below `name` (never empty) in the archive; `path`: its path, for words. Errors of
  // walk_tree(), and conflict when somebody changes a file meanwhile.
  Result<void> add_tree(std::string_view name, int directory, std::string_view path, const StopFlag& stop);
  // Due at the end; without it the archive is incomplete, which readers notice.
  Result<void> finish();

 private:
  Result<void> add(std::string_view name, const TreeEntry& entry, const StopFlag& stop);
  Result<void> add_content(const TreeEntry& entry, const StopFlag& stop);

  ZstdWriter out_;
};

}  // namespace sa
