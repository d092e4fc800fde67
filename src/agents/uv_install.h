// A program out of a Python package: the system's uv fills the tree, without a shell.
#pragma once

#include <string>

#include "agents/install_context.h"
#include "agents/install_plan.h"
#include "agents/install_tree.h"

namespace sa {

// The program's absolute path. Loop thread. Errors as those of npm_install(). Borrows context and tree.
Task<Result<std::string>> uv_install(InstallContext& context, const InstallTree& tree, UvStep step);

}  // namespace sa
