// Compresses what it is given with zstd, with a checksum, into an open descriptor. Memory does not depend on how much that is.
// Blocking; one thread. Borrows the descriptor.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct ZSTD_CCtx_s;

namespace sa {

class ZstdWriter {
 public:
  // `path` is for words.
  ZstdWriter(int file, std::string_view path);

  Result<void> write(std::string_view bytes);
  // Writes what was held back; nothing may follow. Without it the stream is incomplete, which readers notice.
  Result<void> finish();

 private:
  Result<void> flush(std::size_t bytes);

  struct Free {
    void operator()(ZSTD_CCtx_s* stream) const;
  };
  int file_;
  std::string path_;
  std::unique_ptr<ZSTD_CCtx_s, Free> stream_;
  std::string out_;
};

}  // namespace sa
