// The help texts, printed from the command table.
#pragma once

#include <string>

#include "cli/command.h"

namespace sa {

void print_help();                              // all commands
void print_group_help(std::string_view group);  // "daemon", "api fs"
void print_command_help(const Command& command);

// "start, stop, status": what may follow a group's name.
std::string group_words(std::string_view group);

// "run [PROMPT…] [options]".
std::string usage_of(const Command& command);

// "-a, --agent ID".
std::string option_text(const Option& option);

struct SectionRow {
  Section section;
  std::string_view title;
};
std::span<const SectionRow> sections();

}  // namespace sa
