// The unpacked bytes of an archive: pulls from the caller, undoes its compression, counts, and notices the wish to stop.
// Everything unpacked passes through here before anybody interprets it, so a small upload that grows without end is noticed
// whatever it consists of. Memory does not depend on the stream. Blocking; one thread. What it is given must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/tar_decompress.h"
#include "files/tar_extract.h"

namespace sa {

class TarStream {
 public:
  // `max_bytes`: of unpacked bytes; 0 for any.
  TarStream(const TarBytes& next, std::uint64_t max_bytes, const StopFlag& stop);

  // The next unpacked bytes, valid until the next call; empty at the end.
  Result<std::string_view> next();
  // Reads what is left, to the last byte that comes.
  Result<void> drain();

  bool was_empty() const { return packed_bytes_ == 0; }

 private:
  Result<std::string_view> pull();
  Result<std::string_view> begin();
  Result<std::string_view> unpack();

  const TarBytes& next_;
  const std::uint64_t max_bytes_;
  const StopFlag& stop_;
  bool begun_ = false;
  bool ended_ = false;
  std::string beginning_;  // the bytes that tell the compression
  std::unique_ptr<TarDecompressor> decompressor_;
  std::string_view packed_;  // pulled, but not unpacked yet
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
};

}  // namespace sa
