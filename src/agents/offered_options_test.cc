#include "agents/offered_options.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

namespace sa {
namespace {

// As the API would write them.
std::string offered(std::string_view session_new_result) {
  return to_json(offered_options(boost::json::parse(session_new_result)));
}

}  // namespace

TEST_CASE("select options are taken as they are") {
  CHECK(offered(R"({"sessionId":"s","configOptions":[
      {"id":"model","name":"Model","category":"model","type":"select","currentValue":"a",
       "options":[{"value":"a","name":"A","description":"x"},{"value":"b","name":"B"}]},
      {"id":"x","name":"X","category":null,"type":"select","currentValue":"1","options":[{"value":"1","name":"One"}]}]})") ==
        R"([{"id":"model","name":"Model","category":"model","currentValue":"a",)"
        R"("options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]},)"
        R"({"id":"x","name":"X","category":"","currentValue":"1","options":[{"value":"1","name":"One"}]}])");
}

TEST_CASE("grouped values become one list") {
  CHECK(offered(R"({"configOptions":[{"id":"m","name":"M","type":"select","currentValue":"b","options":[
      {"group":"g","name":"G","options":[{"value":"a","name":"A"}]},
      {"group":"h","name":"H","options":[{"value":"b","name":"B"},{"value":"c"}]}]}]})") ==
        R"([{"id":"m","name":"M","category":"","currentValue":"b",)"
        R"("options":[{"value":"a","name":"A"},{"value":"b","name":"B"},{"value":"c","name":"c"}]}])");
}

TEST_CASE("modes and models become options") {
  CHECK(offered(R"({"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"do","name":"Do"}]},
      "models":{"currentModelId":"m1","availableModels":[{"modelId":"m1","name":"M 1"}]}})") ==
        R"([{"id":"mode","name":"Mode","category":"mode","currentValue":"ask",)"
        R"("options":[{"value":"ask","name":"Ask"},{"value":"do","name":"Do"}]},)"
        R"({"id":"model","name":"Model","category":"model","currentValue":"m1","options":[{"value":"m1","name":"M 1"}]}])");
}

TEST_CASE("an option that is there already is not doubled by modes or models") {
  const auto options = offered_options(boost::json::parse(R"({
      "configOptions":[
        {"id":"permissions","name":"P","category":"mode","type":"select","currentValue":"a","options":[{"value":"a","name":"A"}]},
        {"id":"model","name":"M","type":"select","currentValue":"b","options":[{"value":"b","name":"B"}]}],
      "modes":{"currentModeId":"x","availableModes":[{"id":"x","name":"X"}]},
      "models":{"currentModelId":"y","availableModels":[{"modelId":"y","name":"Y"}]}})"));
  REQUIRE(options.size() == 2);
  CHECK(options[0].id == "permissions");
  CHECK(options[1].current_value == "b");
}

TEST_CASE("what has another shape is left out") {
  for (const char* result :
       {"null", "[]", "{}", R"({"configOptions":null,"modes":null,"models":7})", R"({"configOptions":[1,"x",null,{}]})",
        R"({"configOptions":[{"id":"b","name":"B","type":"boolean","currentValue":true}]})",
        R"({"configOptions":[{"id":"s","name":"S","type":"select","currentValue":"a","options":[]}]})",
        R"({"configOptions":[{"id":"s","name":"S","type":"select","options":[{"value":7},{"options":[{"options":[]}]}]}]})",
        R"({"modes":{"availableModes":[{"name":"nameless id"}]},"models":{"availableModels":{}}})"}) {
    CAPTURE(result);
    CHECK(offered(result) == "[]");
  }
}

}  // namespace sa
