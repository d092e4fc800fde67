// The reference of the command line, printed from the command table: a page, and the schema of what --json prints.
#pragma once

#include <string>

namespace sa {

void print_cli_reference();

// JSON Schema 2020-12: every document in $defs, and which command prints which in "commands".
std::string cli_schema();

}  // namespace sa
