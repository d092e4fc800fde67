#include "files/tree_walk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "files/directory_reader.h"
#include "files/file_error.h"
#include "files/link_text.h"
#include "files/resolve.h"
#include "files/tar_problem.h"

namespace sa {
namespace {

constexpr std::size_t deepest = 256;  // folders in each other: each holds a descriptor

class TreeWalk {
 public:
  TreeWalk(std::string_view path, const TreeVisit& visit, const StopFlag& stop)
      : path_(path), tree_bytes_(path.size() + 1), visit_(visit), stop_(stop) {}

  Result<void> below(int directory) {
    TRY(const std::vector<std::string> names, sorted_names(directory));
    for (const std::string& name : names) {
      if (stop_.load(std::memory_order_relaxed)) return fail_stopped();
      const std::size_t parent_bytes = path_.size();
      path_.append("/").append(name);
      if (auto visited = one(directory, name.c_str()); !visited) return visited;
      path_.resize(parent_bytes);
    }
    return {};
  }

 private:
  Result<std::vector<std::string>> sorted_names(int directory) const {
    std::vector<std::string> names;
    DirectoryReader reader(directory);
    while (const dirent* entry = reader.next()) names.emplace_back(entry->d_name);
    if (reader.error() != 0) return failure(reader.error());
    std::ranges::sort(names);
    return names;
  }

  Result<void> one(int parent, const char* name) {
    struct stat info{};
    if (::fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return failure(errno);
    switch (info.st_mode & S_IFMT) {
      case S_IFDIR: return directory(parent, name);
      case S_IFREG: return file(parent, name);
      case S_IFLNK: return symlink(parent, name);
      default: return special();
    }
  }

  Result<void> directory(int parent, const char* name) {
    if (depth_ >= deepest)
      return fail(ErrorCode::invalid_request,
                  fmt::format("'{}' lies deeper than {} folders. Make the tree flatter.", tar_name_for_words(path_), deepest));
    const UniqueFd opened(::openat(parent, name, into_directory));
    if (!opened) return failure(errno);
    if (auto visited = visit_(entry(TreeKind::directory)); !visited) return visited;
    ++depth_;
    auto walked = below(opened.get());
    --depth_;
    return walked;
  }

  Result<void> file(int parent, const char* name) {
    const UniqueFd opened(::openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat info{};
    if (!opened || ::fstat(opened.get(), &info) != 0) return failure(errno);
    if (!S_ISREG(info.st_mode)) return special();
    TreeEntry found = entry(TreeKind::file);
    found.file = opened.get();
    found.size = static_cast<std::uint64_t>(info.st_size);
    found.executable = (info.st_mode & S_IXUSR) != 0;
    return visit_(found);
  }

  Result<void> symlink(int parent, const char* name) {
    const auto text = read_link(parent, name);
    if (!text) return failure(text.error());
    TreeEntry found = entry(TreeKind::symlink);
    found.link = *text;
    return visit_(found);
  }

  TreeEntry entry(TreeKind kind) const {
    return {.kind = kind, .name = std::string_view(path_).substr(tree_bytes_), .path = path_, .link = {}};
  }
  std::unexpected<Error> failure(int error_number) const { return fail_file(error_number, tar_name_for_words(path_)); }
  std::unexpected<Error> special() const {
    return fail(ErrorCode::conflict,
                fmt::format("'{}' is neither a file nor a directory nor a link. Remove it.", tar_name_for_words(path_)));
  }

  std::string path_;  // of the entry being visited
  const std::size_t tree_bytes_;
  std::size_t depth_ = 0;
  const TreeVisit& visit_;
  const StopFlag& stop_;
};

}  // namespace

Result<void> walk_tree(int directory, std::string_view path, const TreeVisit& visit, const StopFlag& stop) {
  return TreeWalk(path, visit, stop).below(directory);
}

}  // namespace sa
