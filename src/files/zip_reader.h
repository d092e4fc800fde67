// The entries of a zip file, stored or deflated, in the order of its directory; what is damaged, encrypted or compressed
// otherwise is refused. Memory does not depend on the file. Blocking; one thread. Borrows the descriptor.
//
// Ours and not libarchive's: that one would bring lzma, bzip2 and cryptography along, and forgives what should be refused.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stop_flag.h"
#include "files/file_bytes.h"
#include "files/tar_entry.h"
#include "files/zip_directory.h"

namespace sa {

class ZipReader final : public TarEntries {
 public:
  // `path` is for words.
  ZipReader(int file, std::string_view path, const StopFlag& stop);
  ~ZipReader() override;

  Result<std::optional<TarEntry>> next() override;
  Result<std::optional<TarBlock>> next_block() override;

 private:
  Result<void> check(const ZipRecord& record) const;
  Result<void> find_content(const ZipRecord& record);
  Result<std::string_view> unpack();
  Result<std::string_view> inflate_some();
  Result<void> check_end();
  Result<std::string> link_text();
  std::unexpected<Error> damaged() const;

  const int file_;
  const std::string path_;
  const StopFlag& stop_;
  std::optional<ZipDirectory> directory_;
  FileBytes bytes_;
  z_stream inflater_{};
  std::string out_;
  std::string name_, link_;

  // Of the entry it stands at.
  std::uint16_t method_ = 0;
  std::uint64_t packed_at_ = 0, packed_left_ = 0;  // what is still to be read
  std::uint64_t size_ = 0, made_ = 0;
  std::uint32_t crc_ = 0, crc_made_ = 0;
  bool stream_ended_ = false;

  std::uint64_t unpacked_ = 0;     // of all entries before, records included
  std::uint64_t packed_room_ = 0;  // what the entries still to come may take up in the file
};

}  // namespace sa
