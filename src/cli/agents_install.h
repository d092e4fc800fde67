// Installing agents from a command: progress on the way, artifacts at the end. Loop thread of the workshop.
#pragma once

#include "cli/agents_workshop.h"

namespace sa {

// One agent, with its progress on the console: a line for people, or lines of JSON when `as_lines`.
Task<Result<InstallOutcome>> install_with_progress(Workshop& shop, AgentPtr agent, InstallWishes wishes, bool as_lines);

// "installed", and what somebody should know of where it came from.
std::string installed_words(const InstallOutcome& outcome);

// Says that it is there: words on stderr and artifacts on stdout, or the line of JSON.
void tell_installed(Console& console, const std::string& agent, const InstallOutcome& outcome, std::string_view how);

}  // namespace sa
