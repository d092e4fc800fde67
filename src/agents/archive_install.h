// An archive of the registry: download, check, unpack. Blocking; a worker thread.
#pragma once

#include <functional>
#include <string>

#include "agents/install_job.h"
#include "agents/install_plan.h"
#include "agents/install_tree.h"
#include "base/limits.h"

namespace sa {

struct InstalledArchive {
  std::string program;  // absolute
  std::string url;      // where it came from, without a password
  std::string sha256;   // of the archive
};

// Errors: install_failed without an agent yet, no_space, overloaded on `stop`. What was written stays for InstallTree::drop().
Result<InstalledArchive> install_archive(const ArchiveStep& step, const InstallTree& tree, const InstallLimits& limits,
                                         const std::function<void(InstallProgress)>& report, const StopFlag& stop);

// A registry's `cmd` as a path below the unpacked files, without "." and doubled slashes. Error: install_failed when it leads
// out of them in words, or names nothing.
Result<std::string> program_below(std::string_view cmd);

}  // namespace sa
