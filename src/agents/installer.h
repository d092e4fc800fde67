// Carries installs out (docs/design/agents.md). One job per agent and wish, shared by all who ask meanwhile; a lock on disk
// keeps other processes apart. A job goes on when nobody waits for it any more. Loop thread only; one per process.
#pragma once

#include <memory>
#include <vector>

#include "agents/install_context.h"
#include "agents/install_job.h"
#include "agents/install_work.h"

namespace sa {

class Installer {
 public:
  explicit Installer(InstallContext context);  // its `stop` is the installer's own
  Installer(const Installer&) = delete;

  // The job that brings it about. For agents that have to be installed, not for those with a command.
  std::shared_ptr<InstallJob> install(AgentPtr agent, InstallWishes wishes);
  // A tree filled by the caller becomes the install.
  Task<Result<InstallOutcome>> install_filled(AgentPtr agent, std::string version, FillTree fill);
  // Removes what we installed; what was put there by hand stays. Calls off an install of it that is under way here, and waits
  // for one of another process.
  Task<Result<void>> remove(AgentPtr agent);

  // Ends everything under way, and begins nothing more.
  void stop();
  const StopFlag& stopped() const { return stop_; }

  const Store& store() const { return context_.store; }
  std::size_t running() const { return running_; }
  void set_listener(Signal* listener) { listener_ = listener; }  // notified when something running ends

 private:
  Task<> run(std::shared_ptr<InstallJob> job);
  Task<Result<InstallOutcome>> outcome_of(std::shared_ptr<InstallJob> job);
  void ended();

  InstallContext context_;
  std::vector<std::shared_ptr<InstallJob>> jobs_;
  StopFlag stop_ = false;
  std::size_t running_ = 0;
  Signal* listener_ = nullptr;
};

}  // namespace sa
