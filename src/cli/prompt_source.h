// What to ask the agent: the words of the command line, a file (-f), and what is piped in. Blocking.
#pragma once

#include <optional>
#include <string>

#include "cli/invocation.h"

namespace sa {

// Nothing: on a terminal and without words; somebody will type. Failure: usage when there is nothing to ask.
Outcome<std::optional<std::string>> prompt_of(Invocation& given);

}  // namespace sa
