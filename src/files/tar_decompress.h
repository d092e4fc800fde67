// Undoes the compression of an archive piece by piece, and checks its sums (libarchive's gzip filter does not). Memory is
// bounded: the most is zstd's window, 128 MiB if the stream asks for that. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

class TarDecompressor {
 public:
  // The one for a stream that begins like this, or none: it is not compressed.
  static std::unique_ptr<TarDecompressor> for_stream(std::string_view beginning);
  static constexpr std::size_t beginning_bytes = 10;

  virtual ~TarDecompressor() = default;
  TarDecompressor(const TarDecompressor&) = delete;
  TarDecompressor& operator=(const TarDecompressor&) = delete;

  // Takes something away from `packed` and returns what came of it, valid until the next call; it may be nothing. With nothing
  // to take, what was held back.
  Result<std::string_view> run(std::string_view& packed);
  // True when the stream may end here.
  bool complete() const { return complete_; }

 protected:
  TarDecompressor() : out_(std::size_t{128} << 10, '\0') {}

  struct Step {
    std::size_t taken;
    std::size_t made;
    bool complete;  // a stream has come to its end; another one may follow
  };
  virtual Result<Step> step(std::string_view packed, std::string& out) = 0;
  // True when a byte after the end begins another stream. Anything else is padding.
  virtual bool continues_with(char byte) const = 0;

 private:
  std::string out_;
  bool complete_ = false;
  bool padding_ = false;
};

}  // namespace sa
