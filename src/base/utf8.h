// UTF-8 checks and repairs. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sa {

// True when `bytes` is well-formed UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF).
bool is_utf8(std::string_view bytes);

// The length in bytes of the well-formed sequence at the start of `bytes`, or 0 if it is malformed or truncated.
std::size_t utf8_sequence(std::string_view bytes);

// `bytes` with every malformed byte replaced by U+FFFD, cut to at most `max_bytes` of output without splitting a
// character.
std::string repair_utf8(std::string_view bytes, std::size_t max_bytes);

// True when `text` is well-formed UTF-8 without control characters (C0, DEL, C1).
bool is_printable_utf8(std::string_view text);

// True when `text` has nothing but blanks, tabs and line breaks, or nothing at all.
bool is_blank(std::string_view text);

// Appends `text` to `out` as a JSON string token, quotes included. What is not well-formed UTF-8 in it becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace sa
