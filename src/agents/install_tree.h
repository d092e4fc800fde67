// One install on disk while it is made: a tree of its own that nothing refers to until it is switched to. Blocking; one thread
// at a time, under the agent's lock.
#pragma once

#include <string>
#include <string_view>

#include "agents/store.h"
#include "base/result.h"
#include "base/stop_flag.h"

namespace sa {

class InstallTree {
 public:
  // Removes what killed installs and replaced versions left, then makes a new empty tree.
  static Result<InstallTree> begin(const Store& store, const std::string& agent, std::string_view version,
                                   const StopFlag& stop);
  // A tree that is given up is removed by drop(); the destructor does nothing.
  void drop() const;

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  std::string at(std::string_view below) const { return path_ + "/" + std::string(below); }

  Result<void> write(std::string_view below, std::string_view content, mode_t mode) const;
  // Lets the launcher start this tree's program: the moment of the install. Then the native tool's name leads to its tool,
  // where that can be: the launcher does not need it.
  Result<void> switch_to(const std::string& native_program) const;

 private:
  InstallTree(const Store& store, std::string agent, std::string name);

  const Store* store_;
  std::string agent_;
  std::string name_;
  std::string path_;
};

// Removes the launcher, the native links and all trees of an agent. A launcher that is not ours stays.
Result<void> remove_install(const Store& store, const std::string& agent, const StopFlag& stop);

// A folder and all below it; what cannot be removed stays, and the log says so.
void remove_folder(const std::string& path);

// Removes the folders of this prefix that nobody holds the lock of: their owner was killed.
void remove_abandoned(const std::string& parent, std::string_view prefix, const StopFlag& stop);

// Makes a directory and those above it.
Result<void> make_directories(const std::string& path);

}  // namespace sa
