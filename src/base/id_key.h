// The identity of a JSON-RPC id: two raw tokens get the same key exactly when they are the same scalar.
// Type matters (1 is not "1"), spelling does not (1.0 is 1, "\u0061" is "a"). Numbers compare as exact decimals, never
// as doubles, and cost only their own length (1e999999999 is eleven bytes, not a gigabyte). Objects and arrays, which
// no peer should use as ids, compare by spelling, whitespace between their parts aside.
#pragma once

#include <string>
#include <string_view>

namespace sa {

// `token` must be one valid JSON value as scan_json delivers it.
std::string id_key(std::string_view token);

}  // namespace sa
