// The command table: every command there is. A command is one file with its row; the list is in commands.cc.
#pragma once

#include <span>
#include <vector>

#include "cli/command.h"
#include "cli/invocation.h"

namespace sa {

// In the order help shows them; those of `api` follow from the route table.
const std::vector<const Command*>& commands();

// Finds the command that `words` begin with, runs it and gives the exit code.
int run_command(CommandWords words);

// The longest name of a command that the words begin with: "daemon start" of {"daemon", "start", "--port", "0"}.
struct FoundCommand {
  const Command* command = nullptr;
  std::size_t words = 0;  // of its name
};
FoundCommand find_command(CommandWords words);

// The commands whose names begin with these words, all of them for none.
std::vector<const Command*> commands_below(std::string_view group);

}  // namespace sa
