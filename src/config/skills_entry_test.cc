#include "config/skills_entry.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

namespace sa {
namespace {

Result<std::string> canonical(std::string_view text) { return skills_entries.canonical(boost::json::parse(text)); }

std::string field_at_fault(std::string_view text) {
  const auto result = canonical(text);
  return result ? "none" : result.error().extras.at(0).json;
}

}  // namespace

TEST_CASE("a skills entry is kept as it is, without unknown members") {
  for (
      std::string_view text : {
          R"({"sources":[]})",
          R"({"sources":[{"type":"github","source":"a/b","skills":["x"],"ref":"main","subpath":"s"},{"type":"local","source":"/p"}]})",
      })
    CHECK(canonical(text) == std::string(text));
  CHECK(canonical(R"({"sources":[{"source":"s","type":"t","note":1,"ref":null}],"more":2})") ==
        R"({"sources":[{"type":"t","source":"s"}]})");
}

TEST_CASE("a skills entry of a wrong shape is refused by the path of the member") {
  CHECK(field_at_fault("{}") == "\"sources\"");
  CHECK(field_at_fault("3") == "\"body\"");
  CHECK(field_at_fault(R"({"sources":{}})") == "\"sources\"");
  CHECK(field_at_fault(R"({"sources":[1]})") == "\"sources[0]\"");
  CHECK(field_at_fault(R"({"sources":[{"type":"t","source":"s"},{"source":"s"}]})") == "\"sources[1].type\"");
  CHECK(field_at_fault(R"({"sources":[{"type":1,"source":"s"}]})") == "\"sources[0].type\"");
  CHECK(field_at_fault(R"({"sources":[{"type":"t","source":"s","skills":["a",null]}]})") == "\"sources[0].skills[1]\"");
}

}  // namespace sa
