// Puts the entries of an archive into its target, one after the other. Blocking; one thread. Borrows the target.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "files/tar_directories.h"
#include "files/tar_extract.h"
#include "files/tar_parents.h"
#include "files/tar_reader.h"

namespace sa {

class TarWriter {
 public:
  explicit TarWriter(const TarTarget& target);

  // Checks the entry the reader stands at, then writes it. Its absolute path; empty for the target itself, which is left alone.
  Result<std::string> write(const TarEntry& entry, TarReader& reader);
  // Sets the modes and times of directories; due after the last entry, also when that one failed.
  Result<void> finish() { return directories_.settle(); }

 private:
  struct Place;
  Result<void> write(const TarEntry& entry, std::string_view name, std::string_view path, TarReader& reader);
  Result<void> directory(const TarEntry& entry, std::string_view name, const Place& place);
  Result<void> symlink(const TarEntry& entry, const Place& place);
  Result<void> hard_link(const TarEntry& entry, std::string_view link, const Place& place);
  Result<std::string> checked_hard_link(const TarEntry& entry);
  Result<Place> place_of(const TarEntry& entry, std::string_view name, std::string_view path);

  const TarTarget& target_;
  TarParents parents_;
  TarParents link_parents_;  // of what hard links lead to
  TarDirectories directories_;
};

}  // namespace sa
