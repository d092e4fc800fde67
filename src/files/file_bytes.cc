#include "files/file_bytes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "files/file_error.h"

namespace sa {
namespace {

// As many as there are; a negative errno when that fails.
ssize_t read_all(int file, char* to, std::size_t size, std::uint64_t offset) {
  std::size_t read = 0;
  while (read < size) {
    const ssize_t n = ::pread(file, to + read, size - read, static_cast<off_t>(offset + read));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -errno;
    if (n == 0) break;
    read += static_cast<std::size_t>(n);
  }
  return static_cast<ssize_t>(read);
}

}  // namespace

Result<std::uint64_t> FileBytes::size() const {
  struct stat info{};
  if (::fstat(file_, &info) != 0) return fail_file(errno, path_);
  return static_cast<std::uint64_t>(info.st_size);
}

Result<std::string_view> FileBytes::at(std::uint64_t offset, std::size_t wanted) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()) - most) return std::string_view();
  wanted = std::min(wanted, most);
  if (offset < begin_ || offset + wanted > begin_ + buffer_.size()) {
    ssize_t read = 0;
    buffer_.resize_and_overwrite(most, [&](char* data, std::size_t size) {
      read = read_all(file_, data, size, offset);
      return read < 0 ? 0 : static_cast<std::size_t>(read);
    });
    begin_ = offset;
    if (read < 0) return fail_file(static_cast<int>(-read), path_);
  }
  return std::string_view(buffer_).substr(offset - begin_, wanted);
}

}  // namespace sa
