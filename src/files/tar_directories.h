// Modes and times of an archive's directories, which are set last: until then they must be writable, and every entry in them
// changes their time. Remembers a bounded number; one thread.
#pragma once

#include <sys/stat.h>

#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/tar_parents.h"

namespace sa {

class TarDirectories {
 public:
  // `path`: of the target, for words.
  TarDirectories(TarParents& parents, std::string_view path) : parents_(parents), path_(path) {}

  // A directory that is there, by its clean name. When there are many, settles those before.
  Result<void> add(std::string_view name, mode_t mode, timespec modified);
  // Sets what was remembered and forgets it. The first error, after all were tried; one that is gone is none.
  Result<void> settle();

 private:
  struct Due {
    mode_t mode;
    timespec modified;
  };
  int set(std::string_view name, const Due& due);

  TarParents& parents_;
  std::string_view path_;
  // The deepest first, so that none is closed before those in it.
  std::map<std::string, Due, std::greater<>> remembered_;
  std::size_t name_bytes_ = 0;
};

}  // namespace sa
