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

// Whose archive it is. The user's own is taken as it is. A foreign one may not lead out by a symbolic link (which counts on a
// target that was empty: every link in it has been checked), and its owner alone may write what it brings.
enum class TarTrust : std::uint8_t { own, foreign };

class TarWriter {
 public:
  TarWriter(const TarTarget& target, TarTrust trust);

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
  const TarTrust trust_;
  TarParents parents_;
  TarParents link_parents_;  // of what hard links lead to
  TarDirectories directories_;
};

}  // namespace sa
