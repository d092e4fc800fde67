#include "files/read_up_to.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/unique_fd.h"
#include "files/file_error.h"

namespace sa {
namespace {

constexpr std::size_t piece = 64 * 1024;

// Bytes to ask for next: the room there is, as most files end in it; none is made for the look at the end.
std::size_t next_piece(const std::string& content) {
  const std::size_t room = content.capacity() - content.size();
  return room < piece / 16 ? piece : room;
}

}  // namespace

Result<std::string> read_up_to(int file, std::size_t most, std::string_view path) {
  std::string content;
  for (ssize_t n = 1; n > 0 && content.size() < most;) {
    const std::size_t before = content.size();
    const std::size_t wanted = std::min(next_piece(content), most - before);
    content.resize_and_overwrite(before + wanted, [&](char* data, std::size_t) {
      do {
        n = ::pread(file, data + before, wanted, static_cast<off_t>(before));
      } while (n < 0 && errno == EINTR);
      return before + static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    });
    if (n < 0) return fail_file(errno, path);
  }
  return content;
}

Result<std::string> read_file(const std::string& path, std::size_t most) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return fail_file(errno, path);
  return read_up_to(file.get(), most, path);
}

}  // namespace sa
