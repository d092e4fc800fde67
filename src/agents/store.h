// Where installs lie (docs/design/agents.md has the picture) and what is there now. Looks at the disk on every call, a few
// system calls each. Immutable; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/install_record.h"
#include "base/result.h"

namespace sa {

class Store {
 public:
  explicit Store(std::string data_directory);  // <DATA>/sandbox-agent

  std::string launcher(std::string_view agent) const;  // …/bin/agent_processes/<id>-acp
  std::string folder(std::string_view agent) const;    // …/bin/agent_processes/<id>.d: its trees; locked by who installs
  std::string native(std::string_view program) const;  // …/bin/<program>
  const std::string& processes() const { return processes_; }
  const std::string& native_directory() const { return bin_; }
  std::string registry_copy() const { return data_ + "/registry.json"; }

  enum class Found : std::uint8_t { nothing, by_hand, installed };
  struct Launcher {
    Found found = Found::nothing;
    std::string tree;  // the name of the install it belongs to
  };
  // What would be started. A launcher that is no executable file counts as nothing.
  Launcher look(std::string_view agent) const;
  // The tree our link names, whether it can be started or not; empty when there is no link of ours.
  std::string linked_tree(std::string_view agent) const;
  // Whether something that is not ours is where the launcher goes, whether it can be started or not.
  bool holds_something_else(std::string_view agent) const;
  // A tool that somebody else put on this machine: into our folder for such, or else on PATH, where one of our own installs is
  // none under whatever spelling. Empty when there is none.
  std::string find_foreign_tool(const std::string& program, std::string_view path_variable) const;
  // The ids of all launchers there are.
  std::vector<std::string> launched() const;
  // The record of an install. Error: internal when it cannot be read.
  Result<InstallRecord> record(std::string_view agent, std::string_view tree) const;

 private:
  std::string data_;
  std::string bin_;
  std::string processes_;
};

// The names of what an install consists of: the agent's folder, and what is in its tree.
inline constexpr std::string_view folder_suffix = ".d";  // of an agent's folder: no launcher ends so
inline constexpr std::string_view launch_name = "launch";
inline constexpr std::string_view native_name = "native";
inline constexpr std::string_view record_name = "install.json";
inline constexpr std::string_view files_name = "files";

// The tree that a launcher's link names, "<id>.d/<tree>/launch"; empty when it is no link of ours. A part of `text`.
std::string_view tree_in_link(std::string_view text, std::string_view agent);

// A regular file (behind links) that we may execute.
bool is_executable_file(const std::string& path);

// The program `name` names: a path as it is, a bare name in the directories of `path_variable`. Empty when there is none that
// will do.
using WillDo = std::function<bool(const std::string& path)>;
std::string find_program(const std::string& name, std::string_view path_variable, const WillDo& will_do = is_executable_file);

}  // namespace sa
