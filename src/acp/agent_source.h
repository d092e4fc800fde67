// What instances need to know of agents: which id a name means, and how one is got ready and started. Given by the daemon; acp
// knows nothing of installs. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/child.h"

namespace sa {

// An agent on its way to being startable, which may take an install. Shared by who waits and who works on it; either may be
// gone first.
struct Preparation {
  std::string phase = "starting";
  std::optional<Result<ChildSpec>> outcome;
  Signal* changed = nullptr;  // notified when any of this changes, while somebody waits
};

struct AgentSource {
  // The agent's id. Error: unsupported_agent.
  std::function<Result<std::string>(const std::string& name)> resolve;
  // Gets it ready; the outcome may be there when this returns.
  std::function<void(const std::string& agent, std::shared_ptr<Preparation> preparation)> prepare;
};

}  // namespace sa
