// What every step of an install works with. Each install has its own, with its own way to be stopped; borrowed by the steps.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agents/registry.h"
#include "agents/store.h"
#include "agents/surroundings.h"
#include "base/limits.h"
#include "base/stop_flag.h"
#include "base/telling_line.h"
#include "io/processes.h"
#include "io/run_program.h"
#include "io/worker_pool.h"

namespace sa {

struct InstallContext {
  Loop& loop;
  Processes& processes;
  WorkerPool& pool;       // for quick steps
  WorkerPool& slow_pool;  // for those that last: downloads, archives, trees to remove
  Store store;
  const Registry& registry;
  std::vector<std::string> environment;  // of the programs it runs, complete
  InstallLimits limits;
  const StopFlag* stop = nullptr;                    // ends what is under way
  std::function<void(std::uint64_t bytes)> wrote{};  // told what the program that fills the tree has written so far
};

// The line of a program's output that says what went wrong; the last one, unless more is known of the program.
using TellingLine = std::string (*)(std::string_view output);

// For the problem that names it.
std::string command_of(const ChildSpec& child);

// Runs a program of an install: npm, uv, a verification. `what` is for words. Errors: install_failed without an agent yet, with
// `command`, and the end of its output as `stderr`.
Task<Result<ProgramResult>> run_step(InstallContext& context, std::string what, ChildSpec child, Millis time_limit,
                                     TellingLine telling = last_line);

}  // namespace sa
