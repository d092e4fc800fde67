// What instances need to know of agents: which id a name means, and how one is got ready and started. Given by the daemon; acp
// knows nothing of installs. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/child.h"
#include "io/task.h"

namespace sa {

// An agent on its way to being startable, which may take an install. Shared by who waits and who works on it; either may be
// gone first.
struct Preparation {
  std::string phase = "starting";
  std::string agent;  // its id, once it is known
  std::optional<Result<ChildSpec>> outcome;
  Signal* changed = nullptr;  // notified when any of this changes, while somebody waits
};

struct AgentSource {
  // The agent's id, for a name that may be another one of it. Error: unsupported_agent.
  std::function<Task<Result<std::string>>(std::string name)> resolve;
  // Gets ready what goes by that name; the outcome may be there when this returns.
  std::function<void(const std::string& name, std::shared_ptr<Preparation> preparation)> prepare;
};

}  // namespace sa
