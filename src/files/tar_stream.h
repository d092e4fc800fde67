// The unpacked bytes of an archive: pulls from the caller, undoes gzip or zstd, counts, and notices the wish to stop. Memory
// does not depend on the stream. Blocking; one thread. What it is given must outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "files/tar_extract.h"

struct archive;

namespace sa {

struct ArchiveCloser {
  void operator()(archive* handle) const;
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveCloser>;

class TarStream {
 public:
  // `max_bytes`: of unpacked bytes; 0 for any.
  TarStream(const TarBytes& next, std::uint64_t max_bytes, const std::atomic<bool>& stop);
  TarStream(const TarStream&) = delete;  // libarchive knows its address
  TarStream& operator=(const TarStream&) = delete;

  // The next unpacked bytes, valid until the next call; empty at the end. After an error it stays with it.
  Result<std::string_view> next();
  // Reads what is left, to the last byte that comes.
  Result<void> drain();

  bool was_empty() const { return packed_bytes_ == 0; }

 private:
  static long pull(archive*, void* self, const void** bytes);
  Result<std::string_view> pull();
  Result<std::string_view> unpack();
  Result<void> open();
  std::unexpected<Error> failure() const;

  const TarBytes& next_;
  const std::uint64_t max_bytes_;
  const std::atomic<bool>& stop_;
  ArchiveHandle unpacker_;
  bool opened_ = false;
  bool nothing_inside_ = false;  // not one byte, once unpacked
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
  std::optional<Error> failure_;
};

}  // namespace sa
