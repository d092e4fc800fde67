// The head of an HTTP/1 answer: status and headers, and how its body is framed. Strict: what could be read in two ways is
// refused. Pure functions; the error is the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "io/fetch.h"

namespace sa {

inline constexpr std::size_t max_response_head = 64 * 1024;

struct ResponseHead {
  int status = 0;
  bool is_http_1_1 = true;
  FetchHeaders headers;  // names in lower case

  std::string_view header(std::string_view name) const;  // the first of that name; empty when there is none
};

// Where the head ends in `bytes`, behind its empty line; nullopt while that has not arrived.
std::optional<std::size_t> find_head_end(std::string_view bytes);

// `head` is all of it, with the empty line.
std::expected<ResponseHead, std::string> parse_response_head(std::string_view head);

struct BodyFraming {
  enum class Kind : std::uint8_t { none, length, chunked, until_close };
  Kind kind = Kind::none;
  std::uint64_t length = 0;
};

std::expected<BodyFraming, std::string> body_framing(const ResponseHead& head, std::string_view request_method);

// What a header's name may consist of, and its value.
bool is_header_name(std::string_view text);
bool is_header_value(std::string_view text);

}  // namespace sa
