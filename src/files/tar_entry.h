// One entry of an archive, and where entries come from. Values; whatever hands them out keeps their words alive.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace sa {

enum class TarKind : std::uint8_t { file, directory, symlink, hard_link, other };

// One header. Its words are valid until the next one is asked for.
struct TarEntry {
  TarKind kind = TarKind::other;
  std::string_view name;  // as the archive says, unchecked
  std::string_view link;  // what a link leads to, unchecked
  mode_t mode = 0;        // permissions, without set-user-id and set-group-id
  timespec modified{};
  std::uint64_t size = 0;      // of a file, holes included
  std::uint64_t position = 0;  // of the entry's content in all that is unpacked
};

// Bytes of a file at an offset. What no block covers is a hole.
struct TarBlock {
  std::string_view bytes;
  std::uint64_t offset = 0;
};

// The entries of an archive of any format, in order. Blocking; one thread.
class TarEntries {
 public:
  TarEntries() = default;
  virtual ~TarEntries() = default;
  TarEntries(const TarEntries&) = delete;
  TarEntries& operator=(const TarEntries&) = delete;

  // The next entry, or nothing at the end.
  virtual Result<std::optional<TarEntry>> next() = 0;
  // The next bytes of the entry, valid until the next call, or nothing at its end.
  virtual Result<std::optional<TarBlock>> next_block() = 0;
};

}  // namespace sa
