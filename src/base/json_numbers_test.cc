#include "base/json_numbers.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "base/json_pretty.h"
#include "base/shape_read.h"

namespace sa {

TEST_CASE("a zero with a large exponent is zero, wherever it stands") {
  boost::json::value value = boost::json::parse(R"([0e999,{"a":[-0E400,0.0e309]},0e5,1.5,7])");
  mend_zeros(value);
  CHECK(boost::json::serialize(value) == R"([0E0,{"a":[0E0,0E0]},0E0,1.5E0,7])");
}

TEST_CASE("a number that is too large becomes the largest") {
  boost::json::value value = boost::json::parse(R"({"a":[1e400,-1e400,0e400,2.5]})");
  mend_numbers(value);
  CHECK(boost::json::serialize(value) == R"({"a":[1.7976931348623157E308,-1.7976931348623157E308,0E0,2.5E0]})");
}

TEST_CASE("what we read and write again stays JSON") {
  const auto value = parse_json(R"({"a":0e999,"b":1e999})");
  REQUIRE(value.has_value());
  CHECK(pretty_json(*value) == "{\n  \"a\": 0,\n  \"b\": 1e999\n}\n");
}

}  // namespace sa
