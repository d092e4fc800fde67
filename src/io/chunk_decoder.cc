#include "io/chunk_decoder.h"

#include <algorithm>

#include "base/percent.h"

namespace sa {
namespace {

constexpr std::size_t max_extension = 4 * 1024;
constexpr std::size_t max_trailers = 64 * 1024;
constexpr unsigned max_digits = 16;

constexpr const char* bad_size = "the size of a chunk is malformed";
constexpr const char* bad_end = "a chunk does not end where it should";
constexpr const char* bad_trailer = "the trailers behind its last chunk are malformed";

}  // namespace

std::expected<std::string_view, std::string> ChunkDecoder::next(std::string_view& bytes) {
  while (!bytes.empty() && state_ != State::done) {
    if (state_ == State::data) {
      const std::string_view piece = bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size()));
      bytes.remove_prefix(piece.size());
      left_ -= piece.size();
      if (left_ == 0) state_ = State::data_cr;
      return piece;
    }
    if (const char* reason = take(bytes[0])) return std::unexpected(reason);
    bytes.remove_prefix(1);
  }
  return std::string_view();
}

const char* ChunkDecoder::take_size(char c) {
  if (const int digit = hex_digit(c); digit >= 0) {
    if (++digits_ > max_digits) return bad_size;
    left_ = left_ << 4 | static_cast<unsigned>(digit);
    return nullptr;
  }
  if (digits_ == 0 || (c != '\r' && c != ';')) return bad_size;
  state_ = c == '\r' ? State::size_end : State::extension;
  return nullptr;
}

const char* ChunkDecoder::take(char c) {
  switch (state_) {
    case State::size: return take_size(c);
    case State::extension:
      if (c == '\n' || ++skipped_ > max_extension) return bad_size;
      if (c == '\r') state_ = State::size_end;
      return nullptr;
    case State::size_end:
      if (c != '\n') return bad_size;
      state_ = left_ > 0 ? State::data : State::trailer_start;
      digits_ = 0;
      skipped_ = 0;
      return nullptr;
    case State::data_cr:
      if (c != '\r') return bad_end;
      state_ = State::data_lf;
      return nullptr;
    case State::data_lf:
      if (c != '\n') return bad_end;
      state_ = State::size;
      return nullptr;
    case State::trailer_start:
    case State::trailer:
      if (c == '\n' || ++skipped_ > max_trailers) return bad_trailer;
      if (c != '\r')
        state_ = State::trailer;
      else
        state_ = state_ == State::trailer_start ? State::last_lf : State::trailer_end;
      return nullptr;
    case State::trailer_end:
      if (c != '\n') return bad_trailer;
      state_ = State::trailer_start;
      return nullptr;
    case State::last_lf:
      if (c != '\n') return bad_end;
      state_ = State::done;
      return nullptr;
    case State::data:
    case State::done: break;
  }
  return nullptr;
}

}  // namespace sa
