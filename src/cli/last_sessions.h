// Which ACP session was last in a folder with an agent, for --continue: <DATA>/sandbox-agent/last-sessions.json, for this user
// only. Bounded; the longest unused go first. What cannot be read is as if it were not there. Writing happens under the
// folder's lock: commands side by side keep what each of them remembers. Blocking.
#pragma once

#include <string>

#include "base/result.h"

namespace sa {

std::string last_session(const std::string& agent, const std::string& cwd);
// Error: internal with the reason; overloaded when another holds the lock for too long.
Result<void> remember_session(const std::string& agent, const std::string& cwd, const std::string& session_id);

}  // namespace sa
