// Carries installs out: plan → fetch → verify → unpack → switch (docs/design/agents.md). One job per agent and wish, shared by
// all who ask meanwhile; a lock on disk keeps other processes apart. A job goes on when nobody waits for it any more. Loop
// thread only; one per process.
#pragma once

#include <memory>
#include <vector>

#include "agents/install_context.h"
#include "agents/install_job.h"
#include "agents/install_tree.h"
#include "files/directory_lock.h"

namespace sa {

class Installer {
 public:
  explicit Installer(InstallContext context) : context_(std::move(context)) {}
  Installer(const Installer&) = delete;

  // The job that brings it about; it may be done already. For agents that have to be installed, not for those with a command.
  std::shared_ptr<InstallJob> install(AgentPtr agent, InstallWishes wishes);
  // Removes what we installed; what was put there by hand stays. conflict while it is being installed.
  Task<Result<void>> remove(AgentPtr agent);

  // A tree filled by the caller becomes the install: `fill` runs on a worker thread and says what it put there.
  using FillTree = std::function<Result<InstallRecord>(const InstallTree& tree)>;
  Task<Result<InstallOutcome>> install_filled(AgentPtr agent, std::string version, FillTree fill);

  const Store& store() const { return context_.store; }
  std::size_t running() const { return running_; }
  void set_listener(Signal* listener) { listener_ = listener; }  // notified when something running ends

 private:
  Task<> work(std::shared_ptr<InstallJob> job);
  Task<Result<InstallOutcome>> carry_out(std::shared_ptr<InstallJob> job);
  Task<Result<InstallPlan>> plan(std::shared_ptr<InstallJob> job);
  using Fill = std::function<Task<Result<InstallRecord>>(const InstallTree& tree)>;
  Task<Result<InstallOutcome>> make(std::shared_ptr<InstallJob> job, std::string version, Fill fill);
  Task<Result<InstallOutcome>> finish(std::shared_ptr<InstallJob> job, const InstallTree& tree, InstallRecord record);
  Task<Result<void>> verify(const InstallJob& job, const InstallTree& tree, const InstallRecord& record);
  Task<Result<DirectoryLock>> lock(std::string agent, InstallJob* job);
  void ended();

  InstallContext context_;
  std::vector<std::shared_ptr<InstallJob>> jobs_;
  std::size_t running_ = 0;
  Signal* listener_ = nullptr;
};

}  // namespace sa
