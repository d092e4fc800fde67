// Programs out of npm packages: the system's npm fills the tree, without a shell, and without install scripts but for the
// packages that need theirs. A Node.js that is too old for them gets company: an npm package with a newer one in the same tree.
#pragma once

#include <string>
#include <vector>

#include "agents/install_context.h"
#include "agents/install_plan.h"
#include "agents/install_tree.h"

namespace sa {

struct NpmProgram {
  std::string program;  // absolute
  std::string version;
  std::string integrity;
};

struct NpmTree {
  std::vector<NpmProgram> programs;  // of each step, in order
  std::string bin;                   // where the tree's programs are, Node.js too when it is its own
};

// Loop thread. Errors: install_failed without an agent yet, overloaded on stop. Borrows context and tree.
Task<Result<NpmTree>> npm_install(InstallContext& context, const InstallTree& tree, std::vector<NpmStep> steps);

// Whether "v20.20.2" is at least "22.19".
bool is_at_least(std::string_view version, std::string_view least);

// Which program of an installed package: `wanted`, the only one, or the one named like the package. From its package.json.
Result<std::string> program_of_package(std::string_view package_json, const std::string& package, const std::string& wanted);

}  // namespace sa
