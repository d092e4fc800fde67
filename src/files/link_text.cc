#include "files/link_text.h"

#include <limits.h>
#include <unistd.h>

#include <cerrno>

namespace sa {

std::expected<std::string, int> read_link(int directory, const char* name) {
  char text[PATH_MAX];
  const ssize_t size = ::readlinkat(directory, name, text, sizeof text);
  if (size < 0) return std::unexpected(errno);
  return std::string(text, static_cast<std::size_t>(size));
}

}  // namespace sa
