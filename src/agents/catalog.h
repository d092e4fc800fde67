// Which agents there are: built in, from the user's manifest files, from --agent, and launchers put into the data folder by
// hand. Of one id the words of --agent win over the user's file, and that over what is built in. Immutable after the start,
// but for launchers: they count as soon as they are there, so that agents() and find() look at the disk. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agents/manifest.h"
#include "agents/store.h"
#include "base/result.h"

namespace sa {

enum class AgentOrigin : std::uint8_t { builtin, user, command_line, launcher };

struct Agent {
  Manifest manifest;
  AgentOrigin origin = AgentOrigin::builtin;
};
using AgentPtr = std::shared_ptr<const Agent>;

// "id=command line" as --agent takes it. Error: invalid_request.
Result<Manifest> parse_agent_flag(const std::string& text);

class Catalog {
 public:
  // Later ones of the same id replace earlier ones.
  Catalog(std::vector<Agent> agents, Store store);

  // Every agent, those of smaller order first, then by id.
  std::vector<AgentPtr> agents() const;
  // By id, when the disk need not be asked; else null.
  AgentPtr known(const std::string& id) const;
  // By id or alias. Error: unsupported_agent with suggestions.
  Result<AgentPtr> find(const std::string& name) const;

 private:
  Error unsupported(const std::string& name) const;

  std::vector<AgentPtr> agents_;
  Store store_;
};

// The built-in manifests.
std::vector<Agent> builtin_agents();

// The manifests in the files *.json of a folder, which need not exist. `complain` gets a sentence for each that cannot be used.
std::vector<Agent> user_agents(const std::string& folder, const std::function<void(const std::string&)>& complain);

}  // namespace sa
