#include "files/directory_reader.h"

#include <fcntl.h>

#include <cerrno>
#include <string_view>

#include "base/unique_fd.h"

namespace sa {

DirectoryReader::DirectoryReader(int directory) {
  UniqueFd own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (own) stream_.reset(::fdopendir(own.get()));
  if (!stream_) {
    error_ = errno;
    return;
  }
  own.release();  // the stream's now
}

const dirent* DirectoryReader::next() {
  while (stream_) {
    errno = 0;
    const dirent* entry = ::readdir(stream_.get());
    if (!entry) {
      error_ = errno;
      return nullptr;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return entry;
  }
  return nullptr;
}

}  // namespace sa
