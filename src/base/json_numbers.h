// Numbers that are JSON, but that Boost.JSON 1.81 reads as something it would not write as JSON. Pure functions.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

namespace sa {

// A zero with a large exponent, such as 0e999, is read as "not a number": here it gets its meaning, 0.
void mend_zeros(boost::json::value& value);

// The same; and what is too large for a double, such as 1e999, becomes the largest one instead of infinity.
void mend_numbers(boost::json::value& value);

// Well-formed JSON with every number in it as a string: `mark` and its text. Who writes that again with pretty_json() changes
// no number, however large or precise. No other string may begin with the mark.
std::string mark_numbers(std::string_view json, std::string_view mark);

}  // namespace sa
