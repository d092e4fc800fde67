// A strict RFC 8259 scanner for the proxy path: says whether bytes are one JSON value and shows the few top-level
// members the proxy needs, as views into the caller's bytes. It never changes, copies or interprets anything else.
// Stricter than most libraries where framing depends on it (valid UTF-8, no raw control characters in strings, nothing
// after the value) and laxer where agents need it (lone surrogate escapes, numbers of any size, any nesting depth).
// Pure functions; no allocation up to a nesting depth of 4,096.
#pragma once

#include <cstdint>
#include <string_view>

namespace sa {

enum class JsonKind : std::uint8_t { invalid, object, array, string, number, boolean, null };

// The raw tokens of the top-level members of interest. An empty view means the member is absent (no JSON value is
// empty). A key counts whatever its spelling (escapes are decoded); of duplicate keys the last counts.
struct EnvelopeMembers {
  std::string_view method;
  std::string_view id;
  std::string_view result;
  std::string_view error;
};

struct JsonScan {
  JsonKind kind = JsonKind::invalid;
  EnvelopeMembers members;      // only filled for objects
  bool has_newline = false;     // a raw LF or CR stands between tokens
  const char* error = nullptr;  // a short reason when kind is invalid, such as "unexpected end"
  std::size_t error_at = 0;     // byte offset of the problem
};

JsonScan scan_json(std::string_view bytes);

}  // namespace sa
