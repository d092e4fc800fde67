// A regular file out of an archive. Blocking; one thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "files/tar_entry.h"

namespace sa {

// Writes the content the entries stand at to `name` in the open `directory`, with mode, time and holes, in place of a file or
// link of that name. conflict when a directory is there. On failure nothing is left. `path`: absolute, for words.
Result<void> write_tar_file(int directory, std::string_view name, const TarEntry& entry, TarEntries& entries,
                            std::string_view path);

}  // namespace sa
