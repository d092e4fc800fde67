#include "base/json_pretty.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

namespace sa {

TEST_CASE("JSON for people has one member per line and parses back to the same value") {
  const auto value = boost::json::parse(R"({"a":{"b":[1,"x\"",null],"c":[{"d":true},[]],"e":{},"f":1.5},"g":"ü"})");
  const std::string text = pretty_json(value);
  CHECK(text ==
        "{\n  \"a\": {\n    \"b\": [1, \"x\\\"\", null],\n    \"c\": [\n      {\n        \"d\": true\n      },\n      []\n"
        "    ],\n    \"e\": {},\n    \"f\": 1.5\n  },\n  \"g\": \"ü\"\n}\n");
  CHECK(boost::json::parse(text) == value);
}

TEST_CASE("numbers stay numbers, however large") {
  const auto value = boost::json::parse("[1e400,-1e400,1e22,-7,18446744073709551615,0.1]");
  CHECK(pretty_json(value) == "[1e999, -1e999, 1e+22, -7, 18446744073709551615, 0.1]\n");
  CHECK(boost::json::parse(pretty_json(value)) == value);
  CHECK(pretty_json(boost::json::parse("[-0.0,0.0]")) == "[-0.0, 0]\n");
  CHECK(pretty_json(boost::json::parse(pretty_json(-0.0))) == "-0.0\n");
}

TEST_CASE("a long list takes a line per item") {
  boost::json::array list(30, "abcdef");
  CHECK(pretty_json(list).starts_with("[\n  \"abcdef\",\n  \"abcdef\","));
  CHECK(boost::json::parse(pretty_json(list)) == list);
}

}  // namespace sa
