// JSON for people: two blanks per level, one member per line. Pure function.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

namespace sa {

// Ends with a newline. Short lists of plain values stay on one line.
std::string pretty_json(const boost::json::value& value);

}  // namespace sa
