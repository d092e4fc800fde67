// The work on one install, step by step: lock, plan, fill a new tree, verify, switch. A tree that does not become the install
// is removed. Lives in the frame that runs it; loop thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agents/install_context.h"
#include "agents/install_job.h"
#include "agents/install_tree.h"
#include "files/directory_lock.h"

namespace sa {

// Fills a tree on a worker thread and says what it put there.
using FillTree = std::function<Result<InstallRecord>(const InstallTree& tree)>;

class InstallWork {
 public:
  // It is stopped by calling off the job.
  InstallWork(const InstallContext& context, std::shared_ptr<InstallJob> job);
  InstallWork(const InstallWork&) = delete;

  // As manifest, registry and wishes say.
  Task<Result<InstallOutcome>> from_plan();
  // With what the caller has. A tool that it found on its machine must be on this one.
  Task<Result<InstallOutcome>> from_fill(std::string version, FillTree fill);

 private:
  using Fill = std::function<Task<Result<InstallRecord>>(const InstallTree& tree)>;

  Task<Result<InstallPlan>> plan();
  Task<Result<InstallOutcome>> make(std::string version, Fill fill);
  Task<Result<InstallOutcome>> finish(const InstallTree& tree, InstallRecord record);
  Task<Result<void>> verify(const InstallTree& tree, const InstallRecord& record);

  InstallContext context_;
  std::shared_ptr<InstallJob> job_;
};

// What is installed and good enough for the wishes. Looks at the disk; any thread.
std::optional<InstallOutcome> installed_already(const Store& store, const std::string& agent, const InstallWishes& wishes);

// Waits for the lock of an agent's installs, which other processes respect too; a job tells that it waits. Borrows both.
Task<Result<DirectoryLock>> lock_installs(InstallContext& context, std::string agent, InstallJob* job);

}  // namespace sa
