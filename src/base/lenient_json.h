// JSON of somebody else, read as far as it can be: lone surrogates are replaced, numbers that no double holds are the nearest
// one. Pure function.
#pragma once

#include <boost/json.hpp>
#include <expected>
#include <string_view>

namespace sa {

// Error: that of the parser, such as json::error::too_deep. Every level takes some 180 bytes of stack to read, copy and
// destroy.
std::expected<boost::json::value, boost::system::error_code> read_lenient_json(std::string_view bytes, std::size_t max_depth);

}  // namespace sa
