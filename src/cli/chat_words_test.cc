#include "cli/chat_words.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("a chat is left with a word alone on a line") {
  for (const char* line : {"exit", "quit", "/exit", "/quit", " exit ", "quit\n"}) CHECK(is_farewell(line));
  for (const char* line : {"", " ", "exit now", "exits", "how do I exit", "//exit", "EXIT"}) CHECK_FALSE(is_farewell(line));
}

TEST_CASE("help is asked for with a word alone on a line") {
  CHECK(is_call_for_help("/help"));
  CHECK(is_call_for_help("/help "));
  CHECK_FALSE(is_call_for_help("help"));
  CHECK_FALSE(is_call_for_help("/help me"));
}

TEST_CASE("an agent that announces a command has it") {
  const auto update = [](const char* text) { return boost::json::parse(text).as_object(); };
  const auto told =
      update(R"({"sessionUpdate":"available_commands_update","availableCommands":[{"name":"edit"},{"name":"help"}]})");
  CHECK(announces_command(told, "help") == true);
  CHECK(announces_command(told, "exit") == false);
  CHECK(announces_command(update(R"({"sessionUpdate":"available_commands_update","availableCommands":["help",{}]})"), "help") ==
        false);
  CHECK(announces_command(update(R"({"sessionUpdate":"plan","availableCommands":[{"name":"help"}]})"), "help") == std::nullopt);
}

}  // namespace sa
