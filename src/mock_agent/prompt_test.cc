#include "mock_agent/prompt.h"

#include <doctest/doctest.h>

namespace sa::mock {
namespace {

const json::object image = {{"type", "image"}, {"data", "AA=="}, {"mimeType", "image/png"}};
const json::object link = {{"type", "resource_link"}, {"name", "a"}, {"uri", "file:///a"}};
const json::object resource = {{"type", "resource"}, {"resource", {{"uri", "file:///a"}, {"text", "b"}}}};

json::object text(std::string_view words) { return {{"type", "text"}, {"text", words}}; }

Prompt read(std::initializer_list<json::object> blocks) {
  json::array array;
  for (const json::object& block : blocks) array.push_back(block);
  auto prompt = read_prompt(array);
  REQUIRE(prompt);
  return *std::move(prompt);
}

}  // namespace

TEST_CASE("all text blocks count, one per line, whatever stands between them") {
  CHECK(read({}).text.empty());
  CHECK(read({text("one")}).text == "one");
  CHECK(read({image, text("one"), link, text("two")}).text == "one\ntwo");
}

TEST_CASE("other blocks are counted in words") {
  CHECK(read({text("one")}).attachments.empty());
  CHECK(read({image}).attachments == "1 image");
  CHECK(read({image, link, link}).attachments == "1 image and 2 links");
  CHECK(read({resource, image, link}).attachments == "1 image, 1 link and 1 resource");
}

TEST_CASE("a title is the first line that has words, cut between characters") {
  CHECK(title_of("") == "");
  CHECK(title_of(" \n\n  hello \nworld") == "hello ");
  CHECK(title_of(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(title_of(std::string(59, 'x') + "é and more") == std::string(59, 'x') + "…");
}

}  // namespace sa::mock
