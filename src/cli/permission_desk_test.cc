#include "cli/permission_desk.h"

#include <doctest/doctest.h>

#include "client/message.h"

namespace sa {
namespace {

PermissionQuestion question_of(std::string_view params) {
  Console console(ConsoleWishes{.quiet = true});
  TurnView view(console);
  return read_question({"7", "session/request_permission", read_json(params)->as_object()}, view);
}

}  // namespace

TEST_CASE("a question is read with its options in the agent's order") {
  const auto question = question_of(
      R"({"toolCall":{"toolCallId":"t","title":"rm -rf\n build"},"options":[{"optionId":"a","name":"Yes","kind":"allow_once"},5,)"
      R"({"optionId":"r","name":"No","kind":"reject_once"}]})");
  CHECK(question.id == "7");
  CHECK(question.title == "rm -rf  build");
  REQUIRE(question.options.size() == 2);
  CHECK(question.options[1].id == "r");
}

TEST_CASE("a rule chooses once before always, and nothing when there is no such option") {
  const auto question = question_of(
      R"({"options":[{"optionId":"A","kind":"allow_always"},{"optionId":"a","kind":"allow_once"},{"optionId":"R","kind":"reject_always"}]})");
  CHECK(choose_option(question, true)->id == "a");
  CHECK(choose_option(question, false)->id == "R");
  CHECK(choose_option(question_of(R"({"options":[{"optionId":"x","kind":"other"}]})"), true) == nullptr);
}

TEST_CASE("a key is the option it is shown with, or what a rule would choose, or nothing") {
  const auto question = question_of(
      R"({"options":[{"optionId":"a","kind":"allow_once"},{"optionId":"r","kind":"reject_once"},{"optionId":"x","kind":"other"}]})");
  CHECK(option_for_key(question, '1')->id == "a");
  CHECK(option_for_key(question, '3')->id == "x");
  CHECK(option_for_key(question, 'y')->id == "a");
  CHECK(option_for_key(question, 'n')->id == "r");
  for (const char key : {'0', '4', '9', ':', 'Y', '\n', '\x1b', '\xff'}) CHECK(option_for_key(question, key) == nullptr);
}

TEST_CASE("an answer names the option, or is cancelled without one") {
  const PermissionOption option{"x", "X", "allow_once"};
  CHECK(boost::json::serialize(outcome_of(&option)) == R"({"outcome":{"outcome":"selected","optionId":"x"}})");
  CHECK(boost::json::serialize(outcome_of(nullptr)) == R"({"outcome":{"outcome":"cancelled"}})");
}

}  // namespace sa
