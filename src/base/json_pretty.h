// JSON for people: two blanks per level, one member per line. Pure function.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

namespace sa {

// Ends with a newline. Short lists of plain values stay on one line. Strings that begin with a `mark` are numbers, as
// mark_numbers() in base/json_numbers.h made them.
std::string pretty_json(const boost::json::value& value, std::string_view mark = {});

}  // namespace sa
