// What every step of an install works with. Owned by the installer; borrowed by the steps.
#pragma once

#include <string>
#include <vector>

#include "agents/registry.h"
#include "agents/store.h"
#include "agents/surroundings.h"
#include "base/limits.h"
#include "base/stop_flag.h"
#include "io/processes.h"
#include "io/run_program.h"
#include "io/worker_pool.h"

namespace sa {

struct InstallContext {
  Loop& loop;
  Processes& processes;
  WorkerPool& pool;  // of its own: downloads last
  Store store;
  Registry registry;
  std::vector<std::string> environment;  // of the programs it runs, complete
  InstallLimits limits;
  const StopFlag& stop;
};

// Runs a program of an install: npm, uv, a verification. `what` is for words. Errors: install_failed without an agent yet, with
// `command`, `cause` and the end of its output as `stderr`.
Task<Result<ProgramResult>> run_step(InstallContext& context, std::string what, ChildSpec child, Millis time_limit);

}  // namespace sa
