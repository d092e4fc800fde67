#include "cli/form_question.h"

#include <doctest/doctest.h>

#include "client/message.h"

namespace sa {
namespace {

std::vector<std::string> lines_of_form(std::string_view params) { return form_lines(read_json(params)->as_object()); }

}  // namespace

TEST_CASE("a form is a line per field: its title, whether it is required, and what it takes") {
  const auto lines = lines_of_form(
      R"({"mode":"form","requestedSchema":{"type":"object","required":["colour"],"properties":{)"
      R"("colour":{"type":"string","title":"Colour","oneOf":[{"const":"r","title":"Red"},{"const":"g"}]},)"
      R"("sizes":{"type":"array","items":{"enum":["S","M"]}},"gloss":{"type":"boolean"},"note":{"type":"string"}, "odd":5}}})");
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "Colour (required): Red, g");
  CHECK(lines[1] == "sizes: any of S, M");
  CHECK(lines[2] == "gloss: yes or no");
  CHECK(lines[3] == "note: text");
}

TEST_CASE("a question that is answered on a page names it, and what an agent sends commands no terminal") {
  CHECK(lines_of_form(R"({"mode":"url","url":"https://example.org/\u001b[2J"})") ==
        std::vector<std::string>{"on the page https://example.org/ [2J"});
  CHECK(form_message(read_json(R"({"message":"Which\n\u001b[2Jone?"})")->as_object()) == "Which  [2Jone?");
}

TEST_CASE("a form of many fields is cut, and says how many there are") {
  boost::json::object fields;
  for (int i = 0; i < 40; ++i) fields["f" + std::to_string(i)] = {{"type", "integer"}};
  const auto lines = form_lines({{"requestedSchema", {{"properties", fields}}}});
  REQUIRE(lines.size() == 13);
  CHECK(lines.back() == "… 40 fields in all");
}

}  // namespace sa
