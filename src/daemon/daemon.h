// The daemon: builds the whole object graph in one place, runs the loop, ends everything. One per process.
#pragma once

#include "base/settings.h"

namespace sa {

// Runs until SIGTERM, SIGINT or SIGHUP, until its standard input ends (--end-with-stdin), until nobody has used it for
// --idle-exit-ms, or until another one wants its place (SIGUSR1) and nobody uses it. Returns the exit code; problems at start
// are told on stderr.
int run_daemon(const Settings& settings);

}  // namespace sa
