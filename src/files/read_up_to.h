// The beginning of a file in one string. Blocking; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

// To its end, but `most` bytes at most. `path` is for words.
Result<std::string> read_up_to(int file, std::size_t most, std::string_view path);

// The same of a file by its path, links followed.
Result<std::string> read_file(const std::string& path, std::size_t most);

}  // namespace sa
