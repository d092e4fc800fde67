// Everything there is about agents, in one hand: what the API, the command line and the start of instances work with. Borrows
// all of it; loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agents/catalog.h"
#include "agents/installer.h"
#include "agents/surroundings.h"

namespace sa {

struct Agents {
  Loop& loop;
  const Catalog& catalog;
  const Store& store;
  Installer& installer;
  const Surroundings& surroundings;
  bool require_preinstall = false;
};

using TellProgress = std::function<void(const InstallProgress& progress)>;

// How to start it: at once when it is there, else after an install, whose phases are told. Errors: agent_not_installed when
// installing is not allowed, and those of an install.
Task<Result<ChildSpec>> get_ready(Agents& agents, AgentPtr agent, TellProgress tell);

// The job of an install. Of an agent that is there already, whoever put it there, it is done.
std::shared_ptr<InstallJob> begin_install(Agents& agents, AgentPtr agent, const InstallWishes& wishes);

// What becomes of a job.
Task<Result<InstallOutcome>> wait_for(Loop& loop, std::shared_ptr<InstallJob> job, TellProgress tell);

}  // namespace sa
