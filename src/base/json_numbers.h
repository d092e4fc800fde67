// Numbers that are JSON, but that Boost.JSON 1.81 reads as something it would not write as JSON. Pure functions.
#pragma once

#include <boost/json/fwd.hpp>

namespace sa {

// A zero with a large exponent, such as 0e999, is read as "not a number": here it gets its meaning, 0.
void mend_zeros(boost::json::value& value);

// The same; and what is too large for a double, such as 1e999, becomes the largest one instead of infinity.
void mend_numbers(boost::json::value& value);

}  // namespace sa
