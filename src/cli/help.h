// The help texts, made from the command table.
#pragma once

#include <string>

#include "cli/command.h"

namespace sa {

// In rows of so many cells, broken between words; 0: none is broken.
std::string help_text(std::size_t columns = 0);                                // all commands
std::string group_help_text(std::string_view group, std::size_t columns = 0);  // "daemon", "api fs"
std::string command_help_text(const Command& command, std::size_t columns = 0);

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
