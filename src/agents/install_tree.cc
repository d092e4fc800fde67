#include "agents/install_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <memory>

#include "base/log.h"
#include "base/unique_fd.h"
#include "files/directory_lock.h"
#include "files/file_error.h"
#include "files/file_root.h"
#include "files/hidden_name.h"
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

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  return names;
}

std::string link_text(const std::string& path) {
  char text[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), text, sizeof text);
  return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "";
}

// A link that takes its place in one step.
Result<void> put_link(const std::string& folder, const std::string& name, const std::string& text) {
  const std::string fresh = folder + "/" + hidden_name();
  if (::symlink(text.c_str(), fresh.c_str()) != 0) return fail_file(errno, fresh);
  const std::string target = folder + "/" + name;
  if (::rename(fresh.c_str(), target.c_str()) == 0) return {};
  const int error = errno;
  ::unlink(fresh.c_str());
  return fail_file(error, target);
}

// "agent_processes/<id>/", with which the links of native tools begin.
std::string native_prefix(const std::string& agent) { return "agent_processes/" + agent + std::string(folder_suffix) + "/"; }

std::string tree_name(std::string_view version) {
  std::string name(version.empty() ? "unversioned" : version);
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

Result<void> remove_abandoned(const std::string& parent, std::string_view prefix, const StopFlag& stop) {
  for (const std::string& name : names_in(parent)) {
    if (!name.starts_with(prefix)) continue;
    const std::string path = fmt::format("{}/{}", parent, name);
    const UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    const bool free = directory && DirectoryLock::take(directory.get(), path, {.limit = std::chrono::milliseconds(0)}, stop);
    if (free) {
      TRY_VOID(remove_tree(path, stop));
    }
  }
  return {};
}

InstallTree::InstallTree(const Store& store, std::string agent, std::string name)
    : store_(&store), agent_(std::move(agent)), name_(std::move(name)), path_(store.folder(agent_) + "/" + name_) {}

Result<InstallTree> InstallTree::begin(const Store& store, const std::string& agent, std::string_view version,
                                       const StopFlag& stop) {
  const std::string current = store.look(agent).tree;
  for (const std::string& name : names_in(store.folder(agent)))
    if (name != current) {
      TRY_VOID(remove_tree(store.folder(agent) + "/" + name, stop));
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
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_file(errno, path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> InstallTree::switch_to(const std::string& native_program) const {
  const std::string launcher = store_->launcher(agent_);
  const std::string launcher_name = launcher.substr(store_->processes().size() + 1);
  if (store_->look(agent_).found == Store::Found::by_hand)
    return fail(ErrorCode::conflict, fmt::format("The launcher {} was put there by hand. Remove it first.", launcher));
  TRY_VOID(put_link(store_->processes(), launcher_name, fmt::format("{}{}/{}/{}", agent_, folder_suffix, name_, launch_name)));
  if (native_program.empty()) return {};
  const std::string native = store_->native(native_program);
  struct stat there{};
  if (::lstat(native.c_str(), &there) == 0 && !link_text(native).starts_with(native_prefix(agent_))) return {};  // not ours
  return put_link(store_->native_directory(), native_program,
                  fmt::format("{}{}/{}", native_prefix(agent_), name_, native_name));
}

Result<void> remove_install(const Store& store, const std::string& agent, const StopFlag& stop) {
  if (store.look(agent).found != Store::Found::by_hand && !link_text(store.launcher(agent)).empty() &&
      ::unlink(store.launcher(agent).c_str()) != 0)
    return fail_file(errno, store.launcher(agent));
  for (const std::string& name : names_in(store.native_directory()))
    if (link_text(store.native(name)).starts_with(native_prefix(agent))) ::unlink(store.native(name).c_str());
  for (const std::string& name : names_in(store.folder(agent))) {
    TRY_VOID(remove_tree(store.folder(agent) + "/" + name, stop));
  }
  return {};
}

}  // namespace sa
