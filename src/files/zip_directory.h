// What a zip file says of its entries: its central directory, which is the one truth about them. Read piece by piece; memory
// does not depend on the file. Blocking; one thread. Borrows the descriptor.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "files/file_bytes.h"
#include "files/tar_entry.h"

namespace sa {

// Its name is valid until the next one is asked for.
struct ZipRecord {
  std::string_view name;  // as the archive says, unchecked
  TarKind kind = TarKind::other;
  mode_t mode = 0;  // permissions, without set-user-id and set-group-id
  timespec modified{};
  bool encrypted = false;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0, size = 0;
  std::uint64_t offset = 0;  // of the local header
};

class ZipDirectory {
 public:
  // `path` is for words.
  static Result<ZipDirectory> open(int file, std::string_view path);

  Result<std::optional<ZipRecord>> next();
  std::uint64_t position() const { return at_; }
  std::uint64_t begin() const { return begin_; }  // everything else in the file comes before it

 private:
  explicit ZipDirectory(FileBytes bytes) : bytes_(std::move(bytes)) {}
  Result<void> find();
  Result<void> read_end(std::string_view end, std::uint64_t position);
  Result<void> read_end64(std::uint64_t end_position);
  Result<void> check_place(std::uint64_t size, std::uint64_t limit);

  FileBytes bytes_;
  std::uint64_t begin_ = 0, at_ = 0, end_ = 0;
  std::uint64_t entries_left_ = 0;
};

}  // namespace sa
