#include "client/acp_client.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("an agent's error tells its words, its code and its details, as far as it has them") {
  const auto failure = [](std::string_view error) { return error_failure(boost::json::parse(error)); };
  const Failure whole = failure(R"({"code":-32603,"message":"no","data":{"details":"why"}})");
  CHECK(whole.what == "no");
  CHECK(whole.why == "the agent's error -32603: why");
  CHECK(failure(R"({"code":-32000,"message":"log in"})").exit == Exit::authentication);
  CHECK(failure(R"({"message":"no"})").why.empty());
  CHECK(failure(R"({"message":"no","data":"why"})").why == "why");
}

TEST_CASE("an agent's error that is no object is told as it is") {
  for (const auto& [error, why] : {std::pair("\"boom\"", "boom"), {"7", "7"}, {"[1]", "[1]"}}) {
    const Failure failure = error_failure(boost::json::parse(error));
    CHECK(failure.what == "the agent answered with an error");
    CHECK(failure.why == why);
  }
}

}  // namespace sa
