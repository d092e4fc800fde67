// Undoes Transfer-Encoding: chunked piece by piece, without storing any of it. Strict: lines end with CR LF, sizes are plain
// hexadecimal digits; extensions and trailers are skipped up to a bound. A value; the pieces it gives out point into the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sa {

class ChunkDecoder {
 public:
  // The next piece of the body, cut off the front of `bytes` with what frames it. Empty when `bytes` is used up or the body is
  // done; what follows the body is left in `bytes`. The error is the reason; nothing may be asked after one.
  std::expected<std::string_view, std::string> next(std::string_view& bytes);

  bool done() const { return state_ == State::done; }

 private:
  enum class State : std::uint8_t {
    size,
    extension,
    size_end,
    data,
    data_cr,
    data_lf,
    trailer_start,
    trailer,
    trailer_end,
    last_lf,
    done
  };
  const char* take(char c);  // one byte of framing; the reason when it does not belong there
  const char* take_size(char c);

  State state_ = State::size;
  unsigned digits_ = 0;
  std::uint64_t left_ = 0;   // of the chunk at hand
  std::size_t skipped_ = 0;  // of its extension, or of all trailers
};

}  // namespace sa
