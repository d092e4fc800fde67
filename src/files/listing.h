// The entries of a directory, sorted by name. The names are read at once and kept in a few dozen bytes each; what is known of
// them is asked for one by one. Blocking; one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "files/file_info.h"
#include "files/file_root.h"

namespace sa {

class Listing {
 public:
  static Result<Listing> of(const GuardedPath& directory);

  struct Entry {
    std::string_view name;  // valid as long as the listing
    FileInfo info;
  };
  // nullopt at the end. What has vanished meanwhile is left out.
  std::optional<Entry> next();

 private:
  explicit Listing(UniqueFd directory) : directory_(std::move(directory)) {}
  int read_names();
  const char* name_at(std::uint32_t place) const { return names_.data() + place; }

  UniqueFd directory_;
  std::string names_;  // each ended by NUL
  std::vector<std::uint32_t> order_;
  std::size_t at_ = 0;
};

}  // namespace sa
