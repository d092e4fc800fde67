#include "agents/install_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "files/directory_lock.h"
#include "files/file_error.h"
#include "files/file_root.h"
#include "files/hidden_name.h"
#include "files/link_text.h"
#include "files/names_in.h"
#include "files/remove.h"
#include "files/resolve.h"

namespace sa {
namespace {

const StopFlag never{false};

Result<void> remove_tree(const std::string& path, const StopFlag& stop) {
  TRY(const FileRoot root, FileRoot::open("/", Confined::no));
  TRY(const GuardedPath guarded, root.guard(path));
  TRY(const Place place, place_of(guarded));
  return remove(place, Recursive::yes, stop);
}

std::string link_text(const std::string& path) { return read_link(AT_FDCWD, path.c_str()).value_or(""); }

// A link that takes its place in one step. Until then it lies in the tree, with which it goes when that is given up.
Result<void> put_link(const InstallTree& tree, const std::string& place, const std::string& text) {
  const std::string fresh = tree.at("link");
  ::unlink(fresh.c_str());
  if (::symlink(text.c_str(), fresh.c_str()) != 0) return fail_file(errno, fresh);
  if (::rename(fresh.c_str(), place.c_str()) != 0) return fail_file(errno, place);
  return {};
}

// "agent_processes/<id>.d/", with which the links of native tools begin.
std::string native_prefix(const std::string& agent) { return "agent_processes/" + agent + std::string(folder_suffix) + "/"; }

// The links to an agent's tools, but for one.
void drop_native_links(const Store& store, const std::string& agent, std::string_view kept) {
  for (const std::string& name : names_in(store.native_directory()))
    if (name != kept && link_text(store.native(name)).starts_with(native_prefix(agent))) ::unlink(store.native(name).c_str());
}

std::string tree_name(std::string_view version) {
  constexpr std::size_t longest = 64;
  std::string name(version.empty() ? "unversioned" : version.substr(0, longest));
  for (char& c : name)
    if (c == '/' || c == '\0') c = '_';
  return name + "-" + random_word();
}

}  // namespace

Result<void> make_directories(const std::string& path) {
  TRY(const FileRoot root, FileRoot::open("/", Confined::no));
  TRY(const GuardedPath guarded, root.guard(path));
  TRY(const UniqueFd directory, open_directory(guarded, Parents::create));
  return {};
}

void remove_folder(const std::string& path) {
  if (auto removed = remove_tree(path, never); !removed) log::warn("{} stays behind: {}", path, removed.error().detail);
}

void remove_abandoned(const std::string& parent, std::string_view prefix, const StopFlag& stop) {
  for (const std::string& name : names_in(parent)) {
    if (!name.starts_with(prefix)) continue;
    const std::string path = fmt::format("{}/{}", parent, name);
    const UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    const bool free = directory && DirectoryLock::take(directory.get(), path, {.limit = std::chrono::milliseconds(0)}, stop);
    if (free) remove_folder(path);
  }
}

InstallTree::InstallTree(const Store& store, std::string agent, std::string name)
    : store_(&store), agent_(std::move(agent)), name_(std::move(name)), path_(store.folder(agent_) + "/" + name_) {}

Result<InstallTree> InstallTree::begin(const Store& store, const std::string& agent, std::string_view version,
                                       const StopFlag& stop) {
  const std::string current = store.linked_tree(agent);
  for (const std::string& name : names_in(store.folder(agent))) {
    if (stop) return fail_stopped();
    if (name != current) remove_folder(fmt::format("{}/{}", store.folder(agent), name));
  }
  InstallTree tree(store, agent, tree_name(version));
  if (::mkdir(tree.path_.c_str(), 0777) != 0) return fail_file(errno, tree.path_);
  return tree;
}

void InstallTree::drop() const { remove_folder(path_); }

Result<void> InstallTree::write(std::string_view below, std::string_view content, mode_t mode) const {
  const std::string path = at(below);
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file) return fail_file(errno, path);
  if (const int error = write_all(file.get(), content); error != 0) return fail_file(error, path);
  return {};
}

Result<void> InstallTree::switch_to(const std::string& native_program) const {
  const std::string launcher = store_->launcher(agent_);
  if (store_->holds_something_else(agent_))
    return fail(ErrorCode::conflict, fmt::format("{} was put there by hand. Remove it first.", launcher));
  TRY_VOID(put_link(*this, launcher, fmt::format("{}{}/{}/{}", agent_, folder_suffix, name_, launch_name)));
  drop_native_links(*store_, agent_, native_program);
  if (native_program.empty()) return {};
  const std::string native = store_->native(native_program);
  struct stat there{};
  if (::lstat(native.c_str(), &there) == 0 && !link_text(native).starts_with(native_prefix(agent_))) return {};  // not ours
  const std::string text = fmt::format("{}{}/{}", native_prefix(agent_), name_, native_name);
  if (auto put = put_link(*this, native, text); !put) log::warn("{} is not there: {}", native, put.error().detail);
  return {};
}

Result<void> remove_install(const Store& store, const std::string& agent, const StopFlag& stop) {
  const std::string launcher = store.launcher(agent);
  if (!store.linked_tree(agent).empty() && ::unlink(launcher.c_str()) != 0) return fail_file(errno, launcher);
  drop_native_links(store, agent, "");
  for (const std::string& name : names_in(store.folder(agent))) {
    TRY_VOID(remove_tree(fmt::format("{}/{}", store.folder(agent), name), stop));
  }
  return {};
}

}  // namespace sa
