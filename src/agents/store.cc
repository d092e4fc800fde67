#include "agents/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "agents/manifest.h"
#include "files/link_text.h"
#include "files/names_in.h"
#include "files/read_up_to.h"

namespace sa {
namespace {

constexpr std::string_view launcher_suffix = "-acp";
constexpr std::size_t longest_record = std::size_t{1} << 20;

// Without links, as far as it leads to something.
std::string real_path(const std::string& path) {
  std::error_code error;
  return std::filesystem::weakly_canonical(path, error).native();
}

}  // namespace

std::string_view tree_in_link(std::string_view text, std::string_view agent) {
  const std::string folder = std::string(agent) + std::string(folder_suffix) + "/";
  if (!text.starts_with(folder)) return {};
  text.remove_prefix(folder.size());
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.substr(slash + 1) != launch_name) return {};
  const std::string_view tree = text.substr(0, slash);
  return tree == "." || tree == ".." ? std::string_view() : tree;
}

bool is_executable_file(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string find_program(const std::string& name, std::string_view path_variable, const WillDo& will_do) {
  if (name.find('/') != std::string::npos) return will_do(name) ? name : "";
  if (path_variable.empty()) return "";
  for (;;) {
    const std::size_t colon = path_variable.find(':');
    std::string candidate(path_variable.substr(0, colon));
    candidate += candidate.empty() ? "./" + name : "/" + name;
    if (will_do(candidate)) return candidate;
    if (colon == std::string_view::npos) return "";
    path_variable.remove_prefix(colon + 1);
  }
}

Store::Store(std::string data_directory)
    : data_(std::move(data_directory)), bin_(data_ + "/bin"), processes_(bin_ + "/agent_processes") {}

std::string Store::launcher(std::string_view agent) const {
  return processes_ + "/" + std::string(agent) + std::string(launcher_suffix);
}

std::string Store::folder(std::string_view agent) const {
  return processes_ + "/" + std::string(agent) + std::string(folder_suffix);
}

std::string Store::native(std::string_view program) const { return bin_ + "/" + std::string(program); }

Store::Launcher Store::look(std::string_view agent) const {
  const std::string path = launcher(agent);
  if (!is_executable_file(path)) return {};
  std::string tree = linked_tree(agent);
  if (tree.empty()) return {Found::by_hand, ""};
  return {Found::installed, std::move(tree)};
}

std::string Store::linked_tree(std::string_view agent) const {
  const auto text = read_link(AT_FDCWD, launcher(agent).c_str());
  return text ? std::string(tree_in_link(*text, agent)) : "";
}

bool Store::holds_something_else(std::string_view agent) const {
  const std::string path = launcher(agent);
  struct stat there{};
  return ::lstat(path.c_str(), &there) == 0 && linked_tree(agent).empty();
}

std::string Store::find_foreign_tool(const std::string& program, std::string_view path_variable) const {
  const std::string ours = real_path(processes_) + "/";
  const auto is_foreign = [&](const std::string& path) {
    return is_executable_file(path) && !real_path(path).starts_with(ours);
  };
  std::string own_place = native(program);
  return is_foreign(own_place) ? own_place : find_program(program, path_variable, is_foreign);
}

std::vector<std::string> Store::launched() const {
  std::vector<std::string> ids;
  for (const std::string& name : names_in(processes_)) {
    if (!name.ends_with(launcher_suffix)) continue;
    std::string id = name.substr(0, name.size() - launcher_suffix.size());
    if (is_agent_id(id) && look(id).found != Found::nothing) ids.push_back(std::move(id));
  }
  return ids;
}

Result<InstallRecord> Store::record(std::string_view agent, std::string_view tree) const {
  const std::string path = folder(agent) + "/" + std::string(tree) + "/" + std::string(record_name);
  TRY(const std::string json, read_file(path, longest_record));
  return read_install_record(json);
}

}  // namespace sa
