// Opening a file for reading that must be a regular one. Blocking; any thread.
#pragma once

#include <sys/stat.h>

#include "base/result.h"
#include "base/unique_fd.h"
#include "files/file_root.h"

namespace sa {

struct RegularFile {
  UniqueFd descriptor;
  struct stat info{};
};

// conflict for anything else, which is looked at but not opened: that would wake the writer of a FIFO or rewind a tape.
Result<RegularFile> open_regular(const GuardedPath& path);

}  // namespace sa
