// A command line, read by its command's row: options, arguments, and the console to talk through. Made by the dispatcher, lives
// as long as the command.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "cli/command.h"
#include "cli/console.h"

namespace sa {

using CommandWords = std::span<const std::string_view>;

class Invocation {
 public:
  // Error: usage.
  static Outcome<Invocation> parse(const Command& command, CommandWords words);

  const Command& command() const { return *command_; }
  Console& console() { return console_; }

  // An option of the command or one all have; asking for another is a bug and aborts.
  bool has(std::string_view option) const;
  std::string value(std::string_view option) const;  // the last one given; empty without
  std::vector<std::string> values(std::string_view option) const;

  const std::vector<std::string>& arguments() const { return arguments_; }
  std::string argument(std::size_t at = 0) const;                 // empty when it is not given
  const std::vector<std::string>& rest() const { return rest_; }  // behind "--"

  // Server settings as they were given, for commands that take them.
  const std::vector<std::string>& setting_words() const { return setting_words_; }
  // Those and the environment's. Error: usage.
  Outcome<Settings> settings() const;

  bool wants_help() const { return has("--help"); }

 private:
  explicit Invocation(const Command& command) : command_(&command) {}

  const Command* command_;
  Console console_;
  std::map<std::string_view, std::vector<std::string>> options_;
  std::vector<std::string> arguments_;
  std::vector<std::string> rest_;
  std::vector<std::string> setting_words_;
};

// Every option a command takes, in the order help shows them: its own, the shared ones, those of all commands.
std::vector<Option> options_of(const Command& command);

// Of the options that commands share: whether its value is the next word.
bool takes_next_word(std::string_view option);

}  // namespace sa
