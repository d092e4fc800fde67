// Unpacks a tar stream (plain, gzip, bzip2 or zstd, told by its content) into a directory, in memory that does not depend on
// it. Blocking; a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_flag.h"
#include "base/unique_fd.h"

namespace sa {

struct TarTarget {
  UniqueFd directory;  // open for reading; nothing outside it is ever touched
  std::string path;    // absolute, for the answer and for words
};

struct TarLimits {
  std::uint64_t max_unpacked_bytes = 0;  // of the unpacked stream, headers included; 0 for any
  std::size_t max_paths = 1'024;         // in the answer
};

struct Unpacked {
  std::vector<std::string> paths;  // absolute, in the archive's order: files, links and directories; bytes, perhaps not UTF-8
  bool truncated = false;          // there were more than max_paths
};

// The next bytes of the stream, valid until the next call; empty at the end.
using TarBytes = std::function<Result<std::string_view>()>;

// Errors: invalid_request (not a tar, damaged, an entry that is not taken; names it), payload_too_large, those of file_error(),
// those of `next`, overloaded when `stop` became true. Entries before the one at fault stay; of that one nothing does.
Result<Unpacked> extract_tar(const TarTarget& target, const TarBytes& next, const TarLimits& limits, const StopFlag& stop);

}  // namespace sa
