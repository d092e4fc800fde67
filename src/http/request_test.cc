#include "http/request.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

std::optional<std::string> parameter(std::string_view query, std::string_view name) {
  Request request;
  request.query = query;
  return request.query_parameter(name).value();
}

}  // namespace

TEST_CASE("a header is found whatever the case of its name, and the first of several counts") {
  Request request;
  request.headers = {{"Content-TYPE", "a"}, {"X", "1"}, {"x", "2"}};
  CHECK(request.header("content-type") == "a");
  CHECK(request.header("x") == "1");
  CHECK(request.header_count("X") == 2);
  CHECK(request.header("content-typ").empty());
  CHECK(request.header_count("y") == 0);
}

TEST_CASE("a query parameter is decoded, of repeated ones the first counts") {
  CHECK(parameter("agent=mock&x=1", "agent") == "mock");
  CHECK(parameter("x=1&agent=a%26b+c", "agent") == "a&b c");
  CHECK(parameter("agent=1&agent=2", "agent") == "1");
  CHECK(parameter("%61gent=1", "agent") == "1");
  CHECK(parameter("agent=a=b", "agent") == "a=b");
  CHECK(parameter("agent", "agent") == "");
  CHECK(parameter("&&agent=&", "agent") == "");
  CHECK_FALSE(parameter("agents=1&x=agent", "agent").has_value());
  CHECK_FALSE(parameter("", "agent").has_value());
}

TEST_CASE("a malformed escape concerns only the parameter that is asked for") {
  Request request;
  request.query = "bad=%zz&good=1&%zz=2";
  CHECK(request.query_parameter("good").value() == "1");
  const auto bad = request.query_parameter("bad");
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().code == ErrorCode::invalid_request);
  REQUIRE(bad.error().extras.size() == 1);
  CHECK(bad.error().extras[0].name == "field");
  CHECK(bad.error().extras[0].json == "\"bad\"");
}

TEST_CASE("a flag is true or false, absent is false, and anything else is refused") {
  Request request;
  request.query = "on=true&off=false&odd=1&upper=TRUE&empty=&bare";
  CHECK(request.query_flag("on").value());
  CHECK_FALSE(request.query_flag("off").value());
  CHECK_FALSE(request.query_flag("absent").value());
  for (const char* name : {"odd", "upper", "empty", "bare"}) {
    CAPTURE(name);
    const auto flag = request.query_flag(name);
    REQUIRE_FALSE(flag.has_value());
    CHECK(flag.error().code == ErrorCode::invalid_request);
    CHECK(flag.error().detail.find(name) != std::string::npos);
  }
}

}  // namespace sa
