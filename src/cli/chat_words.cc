#include "cli/chat_words.h"

#include <algorithm>

#include "base/json_members.h"

namespace sa {
namespace {

std::string_view word_of_line(std::string_view line) {
  constexpr std::string_view blanks = " \t\n";
  const std::size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace

bool is_farewell(std::string_view line) {
  const std::string_view word = word_of_line(line);
  return word == "exit" || word == "quit" || word == "/exit" || word == "/quit";
}

bool is_call_for_help(std::string_view line) { return word_of_line(line) == "/help"; }

extern const std::string_view chat_help =
    "▸ Enter sends, Alt-Enter or Ctrl-J begins another line, Up brings back what was sent, Ctrl-C clears the line\n"
    "▸ during a turn Ctrl-C cancels it; exit, quit or Ctrl-D leaves";

std::optional<bool> announces_command(const boost::json::object& update, std::string_view name) {
  if (string_member(update, "sessionUpdate") != "available_commands_update") return std::nullopt;
  return std::ranges::any_of(array_member(update, "availableCommands"), [&](const boost::json::value& command) {
    return command.is_object() && string_member(command.get_object(), "name") == name;
  });
}

}  // namespace sa
