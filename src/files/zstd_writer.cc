#include "files/zstd_writer.h"

#include <zstd.h>

#include <cerrno>

#include "base/write_all.h"
#include "files/file_error.h"

namespace sa {
namespace {

constexpr int level = 6;  // what a tree of programs gains beyond it is little for the time

}  // namespace

void ZstdWriter::Free::operator()(ZSTD_CCtx* stream) const { ::ZSTD_freeCCtx(stream); }

ZstdWriter::ZstdWriter(int file, std::string_view path)
    : file_(file), path_(path), stream_(::ZSTD_createCCtx()), out_(::ZSTD_CStreamOutSize(), '\0') {
  ::ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, level);
  ::ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
}

Result<void> ZstdWriter::write(std::string_view bytes) {
  ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
  while (from.pos < from.size) {
    ZSTD_outBuffer to{out_.data(), out_.size(), 0};
    if (::ZSTD_isError(::ZSTD_compressStream2(stream_.get(), &to, &from, ZSTD_e_continue))) return fail_file(ENOMEM, path_);
    if (auto flushed = flush(to.pos); !flushed) return flushed;
  }
  return {};
}

Result<void> ZstdWriter::finish() {
  for (std::size_t left = 1; left > 0;) {
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    ZSTD_outBuffer to{out_.data(), out_.size(), 0};
    left = ::ZSTD_compressStream2(stream_.get(), &to, &nothing, ZSTD_e_end);
    if (::ZSTD_isError(left)) return fail_file(ENOMEM, path_);
    if (auto flushed = flush(to.pos); !flushed) return flushed;
  }
  return {};
}

Result<void> ZstdWriter::flush(std::size_t bytes) {
  if (const int error = write_all(file_, {out_.data(), bytes}); error != 0) return fail_file(error, path_);
  return {};
}

}  // namespace sa
