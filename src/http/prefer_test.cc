#include "http/prefer.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

bool async(std::vector<std::string_view> values) {
  Request request;
  for (std::string_view value : values) request.headers.push_back({"Prefer", value});
  return prefers(request, "respond-async");
}

}  // namespace

TEST_CASE("a preference is found in any case, among others, with parameters, in any of several fields") {
  CHECK(async({"respond-async"}));
  CHECK(async({"Respond-Async"}));
  CHECK(async({"wait=10,\trespond-async ;foo=bar"}));
  CHECK(async({"return=minimal", "handling=lenient, respond-async"}));
  CHECK_FALSE(async({}));
  CHECK_FALSE(async({""}));
  CHECK_FALSE(async({"respond-asynchronously"}));
  CHECK_FALSE(async({"foo;respond-async"}));
  CHECK_FALSE(async({"wait=respond-async"}));
}

}  // namespace sa
