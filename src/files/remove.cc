#include "files/remove.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <vector>

#include "files/directory_reader.h"
#include "files/file_error.h"

namespace sa {
namespace {

constexpr std::size_t most_open = 64;  // directories held open on the way down; further up they are found again by ".."
constexpr int most_sweeps = 4;         // of a directory that others keep filling

bool is_directory(int directory, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat info{};
  return ::fstatat(directory, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

// Empties and removes a tree from the bottom up, with a bounded number of descriptors however deep it is.
class TreeRemoval {
 public:
  explicit TreeRemoval(const StopFlag& stop) : stop_(stop) {}

  // 0 or an errno; ECANCELED when stopped.
  int remove(int parent, const std::string& name) {
    if (const int error = enter(parent, name)) return error;
    while (!levels_.empty()) {
      if (stop_) return ECANCELED;
      Level& level = levels_.back();
      int error = 0;
      if (!level.below.empty()) {
        const std::string next = std::move(level.below.back());
        level.below.pop_back();
        error = enter(level.directory.get(), next);
      } else {
        error = leave(parent);
      }
      if (error != 0) return error;
    }
    return 0;
  }

 private:
  struct Level {
    std::string name;
    UniqueFd directory;  // closed when many lie below
    dev_t device = 0;
    ino_t inode = 0;
    std::vector<std::string> below;  // directories still to remove
    int sweeps = 0;
  };

  int enter(int parent, const std::string& name) {
    Level level{.name = name, .directory = UniqueFd(::openat(parent, name.c_str(), into_directory)), .below = {}};
    if (!level.directory) {
      if (errno == ENOENT) return 0;
      if (errno != ENOTDIR && errno != ELOOP) return errno;
      return ::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT ? 0 : errno;  // no directory any more
    }
    struct stat info{};
    if (::fstat(level.directory.get(), &info) != 0) return errno;
    level.device = info.st_dev;
    level.inode = info.st_ino;
    if (const int error = sweep(level)) return error;
    levels_.push_back(std::move(level));
    if (levels_.size() > most_open) levels_[levels_.size() - most_open - 1].directory.reset();
    return 0;
  }

  // Removes what is no directory and notes what is.
  int sweep(Level& level) {
    ++level.sweeps;
    const int directory = level.directory.get();
    DirectoryReader reader(directory);
    while (const dirent* entry = reader.next()) {
      if (stop_) return ECANCELED;
      if (is_directory(directory, *entry)) {
        level.below.emplace_back(entry->d_name);
      } else if (::unlinkat(directory, entry->d_name, 0) != 0 && errno != ENOENT) {
        return errno;
      }
    }
    return reader.error();
  }

  // Removes the directory we are in, which is empty now, and goes back to the one above.
  int leave(int parent) {
    const std::size_t depth = levels_.size();
    if (depth > 1 && !levels_[depth - 2].directory) {
      if (const int error = find_again(levels_[depth - 2], levels_.back().directory.get())) return error;
    }
    const int above = depth > 1 ? levels_[depth - 2].directory.get() : parent;
    Level& level = levels_.back();
    if (::unlinkat(above, level.name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
      if (errno != ENOTEMPTY || level.sweeps == most_sweeps) return errno;
      return sweep(level);
    }
    levels_.pop_back();
    return 0;
  }

  static int find_again(Level& level, int below) {
    level.directory.reset(::openat(below, "..", into_directory));
    struct stat info{};
    if (!level.directory || ::fstat(level.directory.get(), &info) != 0) return errno;
    return info.st_dev == level.device && info.st_ino == level.inode ? 0 : EBUSY;  // somebody moved the tree meanwhile
  }

  const StopFlag& stop_;
  std::vector<Level> levels_;
};

}  // namespace

Result<void> remove(const Place& place, Recursive recursive, const StopFlag& stop) {
  if (::unlinkat(place.directory.get(), place.spelled().c_str(), 0) == 0) return {};
  if (errno != EISDIR && errno != EPERM) return fail_file(errno, place.path);
  const int not_a_file = errno;
  if (::unlinkat(place.directory.get(), place.name.c_str(), AT_REMOVEDIR) == 0) return {};
  if (errno == ENOTDIR) return fail_file(not_a_file, place.path);
  const bool filled = errno == ENOTEMPTY || errno == EEXIST;
  if (!filled) return fail_file(errno, place.path);
  if (recursive == Recursive::no) return fail_file(ENOTEMPTY, place.path);
  const int error = TreeRemoval(stop).remove(place.directory.get(), place.name);
  if (error == ECANCELED) return fail_stopped();
  if (error != 0) return fail_file(error, place.path);
  return {};
}

}  // namespace sa
