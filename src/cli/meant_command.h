// What somebody probably meant who typed a command that does not exist. Pure functions over the command table.
#pragma once

#include <string>
#include <vector>

#include "cli/invocation.h"

namespace sa {

// Command lines without the program's name, such as "agents install claude"; the likelier first. Empty when nothing is near.
std::vector<std::string> meant_commands(CommandWords words);

}  // namespace sa
