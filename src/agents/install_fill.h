// Fills an install's tree as its plan says: archive or packages for the program that speaks ACP, and for the tool it needs.
#pragma once

#include "agents/install_context.h"
#include "agents/install_job.h"
#include "agents/install_tree.h"

namespace sa {

// What is there afterwards, not verified yet. Loop thread. Errors: install_failed without an agent yet, no_space, overloaded on
// stop. Borrows all but the plan.
Task<Result<InstallRecord>> fill_tree(InstallContext& context, std::shared_ptr<InstallJob> job, const InstallTree& tree,
                                      InstallPlan plan);

// For what was installed on another machine: the tool that was there already, as it is here. Looks at the disk. Error:
// install_failed without an agent yet, when it is not here.
Result<void> find_native_here(const InstallContext& context, const Manifest& manifest, InstallRecord& record);

}  // namespace sa
