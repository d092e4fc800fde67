// The names in a folder by its path. Blocking; any thread.
#pragma once

#include <string>
#include <vector>

namespace sa {

// Sorted, without "." and ".."; none when the folder cannot be read.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace sa
