// Which agents there are and how each is started. In order: --agent, a launcher put into the data folder by hand, the built-in
// demo agent. Immutable after construction; looks at the disk on every call, so a launcher counts as soon as it is there.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/child.h"

namespace sa {

struct CustomAgent {
  std::string id;
  std::vector<std::string> argv;
};

// "id=command line" as --agent takes it. Error: invalid_request.
Result<CustomAgent> parse_custom_agent(const std::string& text);

struct CatalogSettings {
  std::string launcher_directory;  // …/sandbox-agent/bin/agent_processes
  std::string own_binary;
  std::vector<CustomAgent> custom;
  std::vector<std::string> environment;  // what agents get, complete
};

enum class AgentSource : std::uint8_t { custom, local_path, builtin };

struct KnownAgent {
  std::string id;
  AgentSource source{};
};

class Catalog {
 public:
  explicit Catalog(CatalogSettings settings) : settings_(std::move(settings)) {}

  std::vector<KnownAgent> agents() const;  // sorted by id
  // Error: unsupported_agent with suggestions.
  Result<ChildSpec> launch(const std::string& agent) const;

 private:
  std::string launcher(const std::string& agent) const;
  Error unsupported(const std::string& agent) const;

  CatalogSettings settings_;
};

// The daemon's environment without the token, with SANDBOX_AGENT_BIN.
std::vector<std::string> agent_environment(char** environment, const std::string& own_binary);

}  // namespace sa
