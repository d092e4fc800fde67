// How an agent would be started now, and what is there of it. Looks at the disk, a few system calls. Any thread.
#pragma once

#include <optional>
#include <string>

#include "agents/catalog.h"
#include "agents/install_record.h"
#include "agents/store.h"
#include "agents/surroundings.h"
#include "io/child.h"

namespace sa {

// The agent's command, a launcher put there by hand, or an install, in the order the catalog documents; nothing when it has to
// be installed first.
std::optional<ChildSpec> how_to_start(const Agent& agent, const Store& store, const Surroundings& surroundings);

// What an agent finds in its environment: ours, its manifest's variables, and keys under the names it reads.
std::vector<std::string> environment_of(const Manifest& manifest, std::vector<std::string> environment);

struct Presence {
  bool installed = false;
  std::string path;                     // what is started
  std::optional<InstallRecord> record;  // of what is installed; for what was there already one made up now
};
Presence look_at(const Agent& agent, const Store& store, const Surroundings& surroundings);

// Whether there is anything to install: it has no command of its own.
bool is_installable(const Agent& agent);

}  // namespace sa
