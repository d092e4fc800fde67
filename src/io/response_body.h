// The bytes of an answer's body as its framing cuts them out of the stream. A value; the pieces point into the input.
#pragma once

#include <algorithm>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "io/chunk_decoder.h"
#include "io/response_head.h"

namespace sa {

class ResponseBody {
 public:
  explicit ResponseBody(BodyFraming framing) : framing_(framing), left_(framing.length) {}

  // The next piece, cut off the front of `bytes`; empty when these are used up or the body is done.
  std::expected<std::string_view, std::string> next(std::string_view& bytes) {
    if (framing_.kind == BodyFraming::Kind::chunked) return chunks_.next(bytes);
    const std::string_view piece =
        bytes.substr(0, is_until_close() ? bytes.size() : std::min<std::uint64_t>(left_, bytes.size()));
    bytes.remove_prefix(piece.size());
    if (!is_until_close()) left_ -= piece.size();
    return piece;
  }

  // A body that lasts until the connection ends is never done by itself.
  bool done() const { return framing_.kind == BodyFraming::Kind::chunked ? chunks_.done() : !is_until_close() && left_ == 0; }
  bool is_until_close() const { return framing_.kind == BodyFraming::Kind::until_close; }

  std::optional<std::uint64_t> announced() const {
    return framing_.kind == BodyFraming::Kind::length ? std::optional(framing_.length) : std::nullopt;
  }

 private:
  BodyFraming framing_;
  std::uint64_t left_ = 0;
  ChunkDecoder chunks_;
};

}  // namespace sa
