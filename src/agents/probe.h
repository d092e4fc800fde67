// Asks an agent what it offers: starts it in an empty directory of its own, says ACP's initialize and session/new, and ends it
// again with everything it started. Whatever the agent asks meanwhile is refused. Loop thread; the directory is made and
// removed on the pool.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/manifest.h"
#include "base/clock.h"
#include "base/stop_flag.h"
#include "io/processes.h"
#include "io/worker_pool.h"

namespace sa {

struct ProbeLimits {
  Millis time{10'000};             // for all answers; ending the agent comes on top
  bool only_initialize = false;    // enough to know that it speaks ACP; without a directory of its own
  const StopFlag* stop = nullptr;  // becomes true: the probe ends within 100 ms and the grace
};

struct ProbeResult {
  std::string agent_version;            // empty when it gives none
  std::vector<ConfigOption> options;    // as it offers them in a new session
  std::optional<std::string> error;     // why there is no more than this, in words
  std::optional<Millis> initialized{};  // how long it took to answer initialize
  std::string stderr_tail{};            // the end of what it said there, when there is an error
};

// `agent.cwd` counts for only_initialize. Errors: agent_spawn_failed and what making the directory meets (no_space, internal)
// when the agent could not be asked at all; overloaded when stopped. What goes wrong between us and the agent is
// ProbeResult::error.
Task<Result<ProbeResult>> probe_agent(Loop& loop, Processes& processes, WorkerPool& pool, ChildSpec agent, ProbeLimits limits);

}  // namespace sa
