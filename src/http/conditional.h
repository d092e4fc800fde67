// Conditional and partial requests (RFC 9110 §13 and §14): what their header fields say about a representation. Pure functions.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "http/request.h"

namespace sa {

// What a client may compare its copy with.
struct Version {
  std::string etag;  // strong, with its quotes
  std::time_t modified = 0;
  // Whether the second of that date is over: before, another version may come to bear the same date, and it proves nothing.
  bool settled = true;
};

enum class Comparison : bool { weak, strong };

// Whether a list of entity tags ("*" for any) contains this one.
bool lists_etag(std::string_view list, std::string_view etag, Comparison comparison);

// True when the client's copy is still good: 304.
bool is_unchanged(const Request& request, const Version& version);
// False when If-Match or If-Unmodified-Since says that the client means another version: 412.
bool is_version_meant(const Request& request, const Version& version);

struct PartWanted {
  enum class Kind : std::uint8_t { whole, part, nothing };  // nothing: the range lies outside, 416
  Kind kind = Kind::whole;
  std::uint64_t first = 0;
  std::uint64_t length = 0;
};

// What Range and If-Range ask for. Several ranges, other units and what cannot be understood mean the whole.
PartWanted part_wanted(const Request& request, const Version& version, std::uint64_t size);

}  // namespace sa
