#include "files/tar_decompress.h"

#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

#include "files/tar_problem.h"

namespace sa {
namespace {

class Gzip final : public TarDecompressor {
 public:
  Gzip() { ::inflateInit2(&stream_, largest_window + with_gzip_header); }
  ~Gzip() override { ::inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  static bool begins(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

 private:
  static constexpr int largest_window = 15, with_gzip_header = 16;

  Result<Step> step(std::string_view packed, std::string& out) override {
    if (complete()) ::inflateReset(&stream_);
    const std::size_t offered = std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib does not write to it
    stream_.avail_in = static_cast<uInt>(offered);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      return damaged_tar(stream_.msg ? stream_.msg : "its gzip stream makes no sense");
    return Step{offered - stream_.avail_in, out.size() - stream_.avail_out, status == Z_STREAM_END};
  }
  bool continues_with(char byte) const override { return byte == '\x1F'; }

  z_stream stream_{};
};

class Bzip2 final : public TarDecompressor {
 public:
  Bzip2() { begin(); }
  ~Bzip2() override { ::BZ2_bzDecompressEnd(&stream_); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;

  // A file may be called "BZh…": what follows is looked at too, the beginning of a block or of the end.
  static bool begins(std::string_view bytes) {
    if (bytes.size() < beginning_bytes || !bytes.starts_with("BZh") || bytes[3] < '1' || bytes[3] > '9') return false;
    return bytes.substr(4).starts_with("\x31\x41\x59\x26\x53\x59") || bytes.substr(4).starts_with("\x17\x72\x45\x38\x50\x90");
  }

 private:
  void begin() {
    stream_ = {};
    ::BZ2_bzDecompressInit(&stream_, 0, 0);
  }

  Result<Step> step(std::string_view packed, std::string& out) override {
    if (complete()) {
      ::BZ2_bzDecompressEnd(&stream_);
      begin();
    }
    const std::size_t offered = std::min<std::size_t>(packed.size(), std::numeric_limits<unsigned>::max());
    stream_.next_in = const_cast<char*>(packed.data());  // it is not written to
    stream_.avail_in = static_cast<unsigned>(offered);
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    const int status = ::BZ2_bzDecompress(&stream_);
    if (status != BZ_OK && status != BZ_STREAM_END) return damaged_tar("its bzip2 stream makes no sense");
    return Step{offered - stream_.avail_in, out.size() - stream_.avail_out, status == BZ_STREAM_END};
  }
  bool continues_with(char byte) const override { return byte == 'B'; }

  bz_stream stream_{};
};

class Zstd final : public TarDecompressor {
 public:
  static bool begins(std::string_view bytes) {
    return bytes.starts_with("\x28\xB5\x2F\xFD") || (is_skippable(bytes) && bytes.substr(1).starts_with("\x2A\x4D\x18"));
  }

 private:
  static bool is_skippable(std::string_view bytes) { return !bytes.empty() && (bytes[0] & 0xF0) == 0x50; }

  Result<Step> step(std::string_view packed, std::string& out) override {
    ZSTD_inBuffer from{packed.data(), packed.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t status = ::ZSTD_decompressStream(stream_.get(), &to, &from);
    if (::ZSTD_isError(status)) return damaged_tar(::ZSTD_getErrorName(status));
    return Step{from.pos, to.pos, status == 0};
  }
  bool continues_with(char byte) const override { return byte == '\x28' || is_skippable({&byte, 1}); }

  struct Free {
    void operator()(ZSTD_DStream* stream) const { ::ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{::ZSTD_createDStream()};
};

}  // namespace

std::unique_ptr<TarDecompressor> TarDecompressor::for_stream(std::string_view beginning) {
  if (Gzip::begins(beginning)) return std::make_unique<Gzip>();
  if (Bzip2::begins(beginning)) return std::make_unique<Bzip2>();
  if (Zstd::begins(beginning)) return std::make_unique<Zstd>();
  return nullptr;
}

Result<std::string_view> TarDecompressor::run(std::string_view& packed) {
  if (complete_) padding_ = padding_ || packed.empty() || !continues_with(packed.front());
  if (padding_) {
    packed = {};
    return std::string_view();
  }
  TRY(const Step done, step(packed, out_));
  packed.remove_prefix(done.taken);
  complete_ = done.complete;
  return std::string_view(out_).substr(0, done.made);
}

}  // namespace sa
