// Everything there is about agents, in one hand: what the API, the command line and the start of instances work with. Borrows
// all of it; loop thread only. What looks at the disk does so on worker threads: a disk that hangs holds up who asked, and
// nobody else.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agents/catalog.h"
#include "agents/installer.h"
#include "agents/surroundings.h"
#include "io/worker_pool.h"

namespace sa {

struct Agents {
  Loop& loop;
  WorkerPool& pool;
  const Catalog& catalog;
  const Store& store;
  Installer& installer;
  const Surroundings& surroundings;
  bool require_preinstall = false;
};

using TellProgress = std::function<void(const InstallProgress& progress)>;

// By id or alias. Error: unsupported_agent with suggestions.
Task<Result<AgentPtr>> find_agent(Agents& agents, std::string name);

// How to start it: at once when it is there, else after an install, whose phases are told. Errors: agent_not_installed when
// installing is not allowed, and those of an install.
Task<Result<ChildSpec>> get_ready(Agents& agents, AgentPtr agent, TellProgress tell);

// The job of an install. Of an agent that is there already, whoever put it there, it is done.
Task<std::shared_ptr<InstallJob>> begin_install(Agents& agents, AgentPtr agent, InstallWishes wishes);

// What becomes of a job.
Task<Result<InstallOutcome>> wait_for(Loop& loop, std::shared_ptr<InstallJob> job, TellProgress tell);

}  // namespace sa
