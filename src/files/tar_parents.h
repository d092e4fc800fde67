// The directories below an archive's target, by descriptor: each component is opened from the one before and never through a
// link. The last one stays open for the next entry; no more than two are, however deep. One thread. Borrows the target's
// descriptor.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "files/resolve.h"

namespace sa {

class TarParents {
 public:
  explicit TarParents(int target) : target_(target) {}

  // The directory with this clean name, empty for the target; valid until the next call. Or an errno: ELOOP for a link on the
  // way, ENOTDIR for something else that is not a directory.
  std::expected<int, int> open(std::string_view directory, Parents parents);
  // Removes the directories the last open() made, as far as they are empty: the entry they were for has failed.
  void undo();

 private:
  std::expected<UniqueFd, int> step(int from, const char* name, Parents parents);

  int target_;
  UniqueFd last_;          // the directory opened last; none: the target
  std::string last_name_;  // its clean name
  std::string made_;       // the deepest directory the last open() made
  std::size_t made_count_ = 0;
};

}  // namespace sa
