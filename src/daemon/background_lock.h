// The lock the background daemon holds while it lives. It belongs to the open file and not to a process: whoever has inherited
// the descriptor holds it too, and the kernel releases it with the last copy. The file is never unlinked. Any thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/failure.h"
#include "base/unique_fd.h"

namespace sa {

// Its file: one for each machine and container that has the folder, as each may have its daemon.
std::string background_lock_file(const std::string& folder);

// The lock; nothing when another holds it. Failure: the file cannot be used.
Outcome<std::optional<UniqueFd>> try_background_lock(const std::string& folder);

// Whether the process has the lock's file open.
bool has_background_lock_open(pid_t pid, const std::string& folder);

// Held by who puts one background daemon in the place of another; they come one after the other. Failure: nobody lets go of it.
Outcome<UniqueFd> replacement_lock(Millis patience, const std::string& folder);

}  // namespace sa
