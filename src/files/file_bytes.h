// The bytes of an open file by position, through one buffer. Blocking; one thread. Borrows the descriptor and does not move
// its position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

class FileBytes {
 public:
  static constexpr std::size_t most = std::size_t{256} << 10;

  // `path` is for words.
  FileBytes(int file, std::string_view path) : file_(file), path_(path) {}

  Result<std::uint64_t> size() const;
  // `wanted` bytes (`most` of them at most) from `offset` on, fewer at the end of the file; valid until the next call.
  Result<std::string_view> at(std::uint64_t offset, std::size_t wanted);

 private:
  int file_;
  std::string path_;
  std::string buffer_;
  std::uint64_t begin_ = 0;  // of the buffer in the file
};

}  // namespace sa
