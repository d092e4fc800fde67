// Puts the entries of an archive into its target, one after the other. Blocking; one thread. Borrows the target.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/tar_directories.h"
#include "files/tar_entry.h"
#include "files/tar_extract.h"
#include "files/tar_parents.h"

namespace sa {

// Where symbolic links may lead. `inside` counts on a target that was empty: every link in it has been checked.
enum class TarLinks : std::uint8_t { anywhere, inside };

class TarWriter {
 public:
  TarWriter(const TarTarget& target, TarLinks links);

  // Writes all entries and sets the modes and times of directories, also when an entry failed.
  Result<Unpacked> write_all(TarEntries& entries, const TarLimits& limits);

 private:
  struct Place;
  Result<Unpacked> write_entries(TarEntries& entries, const TarLimits& limits);
  // Checks an entry, then writes it. Its absolute path; empty for the target itself, which is left alone.
  Result<std::string> write(const TarEntry& entry, TarEntries& entries);
  Result<void> write(const TarEntry& entry, std::string_view name, std::string_view path, TarEntries& entries);
  Result<void> directory(const TarEntry& entry, std::string_view name, const Place& place);
  Result<void> symlink(const TarEntry& entry, std::string_view name, const Place& place);
  Result<void> hard_link(const TarEntry& entry, std::string_view link, const Place& place);
  Result<std::string> checked_hard_link(const TarEntry& entry, std::string_view name);
  Result<void> check_text(const TarEntry& entry, std::string_view name, std::string_view text) const;
  Result<Place> place_of(const TarEntry& entry, std::string_view name, std::string_view path);

  const TarTarget& target_;
  const TarLinks links_;
  TarParents parents_;
  TarParents link_parents_;  // of what hard links lead to
  TarDirectories directories_;
};

}  // namespace sa
