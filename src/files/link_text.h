// The words of a symbolic link. Blocking; any thread.
#pragma once

#include <expected>
#include <string>

namespace sa {

// readlinkat(); an empty name reads `directory` itself, an O_PATH descriptor of a link. The error is an errno.
std::expected<std::string, int> read_link(int directory, const char* name);

}  // namespace sa
