#include "files/copy_tree.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <string_view>
#include <vector>

#include "files/directory_reader.h"
#include "files/file_info.h"
#include "files/link_text.h"
#include "files/resolve.h"

namespace sa {
namespace {

constexpr std::size_t copy_piece = 8u << 20;  // between two looks at the stop flag
constexpr std::size_t most_pairs_open = 32;   // directories, each with its copy; further up they are found again by ".."

enum class Purpose : bool { look, copy };

// Goes from the top down, with a bounded number of descriptors however deep the tree is. Looking it makes no copies.
class TreeCopy {
 public:
  TreeCopy(Purpose purpose, const StopFlag& stop) : copies_(purpose == Purpose::copy), stop_(stop) {}

  std::expected<TreeState, int> go_through(int from_directory, const char* from, int to_directory, const char* to) {
    if (const int error = go_down(from_directory, from, to_directory, to)) return std::unexpected(error);
    return state_;
  }

 private:
  struct Level {
    UniqueFd source, copy;           // closed when many lie below
    struct stat before{};            // the source, when we came
    struct stat made{};              // the copy
    std::vector<std::string> below;  // directories still to go through
    std::size_t path = 0;            // the hash of its way from the top
  };

  // What was there a moment ago is gone, or of another kind: somebody changed it meanwhile.
  static int of_source(int error) { return error == ENOENT || error == ENOTDIR || error == ELOOP ? EBUSY : error; }

  int go_down(int from_directory, const char* from, int to_directory, const char* to) {
    struct stat info{};
    if (::fstatat(from_directory, from, &info, AT_SYMLINK_NOFOLLOW) != 0) return errno;
    note(top, info);
    if (!S_ISDIR(info.st_mode)) return copies_ ? copy_single(from_directory, from, to_directory, to, info) : 0;
    int error = enter(from_directory, from, to_directory, to, top);
    while (error == 0 && !levels_.empty()) error = go_on();
    return error;
  }

  static std::size_t path_below(std::size_t path, const char* name) {
    boost::hash_combine(path, std::string_view(name));
    return path;
  }

  // Added up, because no file system promises an order of names. How large a directory is says nothing.
  void note(std::size_t path, const struct stat& info) {
    boost::hash_combine(path, info.st_mode);
    boost::hash_combine(path, S_ISDIR(info.st_mode) ? 0 : info.st_size);
    boost::hash_combine(path, info.st_mtim.tv_sec);
    boost::hash_combine(path, info.st_mtim.tv_nsec);
    state_ += path;
  }

  int go_on() {
    if (stop_) return ECANCELED;
    Level& level = levels_.back();
    if (level.below.empty()) return leave();
    const std::string next = std::move(level.below.back());
    level.below.pop_back();
    return enter(level.source.get(), next.c_str(), level.copy.get(), next.c_str(), path_below(level.path, next.c_str()));
  }

  int enter(int from_directory, const char* from, int to_directory, const char* to, std::size_t path) {
    Level level;
    level.path = path;
    level.source.reset(::openat(from_directory, from, into_directory));
    if (!level.source || ::fstat(level.source.get(), &level.before) != 0) return of_source(errno);
    if (copies_)
      if (const int error = begin_copy(level, to_directory, to)) return error;
    if (const int error = sweep(level)) return error;
    levels_.push_back(std::move(level));
    if (levels_.size() > most_pairs_open) {
      Level& far_up = levels_[levels_.size() - most_pairs_open - 1];
      far_up.source.reset();
      far_up.copy.reset();
    }
    return 0;
  }

  int begin_copy(Level& level, int directory, const char* name) const {
    if (!levels_.empty() && same_file(level.before, levels_.front().made)) return EINVAL;  // we are in the copy
    if (::mkdirat(directory, name, 0700) != 0) return errno;
    level.copy.reset(::openat(directory, name, into_directory));
    return level.copy && ::fstat(level.copy.get(), &level.made) == 0 ? 0 : errno;
  }

  // Copies what is no directory and keeps in mind what is.
  int sweep(Level& level) {
    DirectoryReader reader(level.source.get());
    while (const dirent* entry = reader.next()) {
      if (stop_) return ECANCELED;
      const char* name = entry->d_name;
      struct stat info{};
      if (::fstatat(level.source.get(), name, &info, AT_SYMLINK_NOFOLLOW) != 0) return of_source(errno);
      note(path_below(level.path, name), info);
      if (S_ISDIR(info.st_mode)) {
        level.below.emplace_back(name);
      } else if (!copies_) {
        continue;
      } else if (const int error = copy_single(level.source.get(), name, level.copy.get(), name, info)) {
        return error;
      }
    }
    return of_source(reader.error());
  }

  // The way up comes first: the mode that the copy takes over may close it.
  int leave() {
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    if (!levels_.empty() && !levels_.back().source) {
      Level& above = levels_.back();
      if (const int error = find_again(above.source, level.source.get(), above.before)) return error;
      if (copies_)
        if (const int error = find_again(above.copy, level.copy.get(), above.made)) return error;
    }
    return copies_ ? take_over(level.source.get(), level.copy.get(), level.before) : 0;
  }

  static int find_again(UniqueFd& directory, int below, const struct stat& known) {
    directory.reset(::openat(below, "..", into_directory));
    struct stat info{};
    if (!directory || ::fstat(directory.get(), &info) != 0) return of_source(errno);
    return same_file(info, known) ? 0 : EBUSY;  // somebody moved the tree meanwhile
  }

  int copy_single(int from_directory, const char* from, int to_directory, const char* to, const struct stat& info) const {
    if (stop_) return ECANCELED;
    if (S_ISREG(info.st_mode)) return copy_file(from_directory, from, to_directory, to);
    if (S_ISLNK(info.st_mode)) return copy_link(from_directory, from, to_directory, to, info);
    if (!S_ISFIFO(info.st_mode)) return EOPNOTSUPP;
    if (::mkfifoat(to_directory, to, info.st_mode & permission_bits) != 0) return errno;
    return 0;
  }

  int copy_file(int from_directory, const char* from, int to_directory, const char* to) const {
    const UniqueFd source(::openat(from_directory, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!source) return of_source(errno);
    const UniqueFd copy(::openat(to_directory, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!copy) return errno;
    struct stat before{};
    if (::fstat(source.get(), &before) != 0) return errno;
    if (!S_ISREG(before.st_mode)) return EBUSY;
    if (const int error = copy_content(source.get(), copy.get(), before.st_size)) return error;
    return take_over(source.get(), copy.get(), before);
  }

  // Holes stay holes.
  int copy_content(int source, int copy, off_t size) const {
    for (off_t at = 0; at < size;) {
      const off_t data = ::lseek(source, at, SEEK_DATA);
      if (data < 0 && errno == ENXIO) break;  // nothing but a hole is left
      if (data >= 0) at = data;
      const off_t hole = data < 0 ? size : ::lseek(source, at, SEEK_HOLE);  // not every file system can tell
      if (const int error = copy_part(source, copy, at, hole < 0 ? size : hole)) return error;
      at = hole < 0 ? size : hole;
    }
    return ::ftruncate(copy, size) == 0 ? 0 : errno;
  }

  int copy_part(int source, int copy, off_t begin, off_t end) const {
    if (::lseek(copy, begin, SEEK_SET) < 0) return errno;
    while (begin < end) {
      if (stop_) return ECANCELED;
      const ssize_t n =
          ::sendfile(copy, source, &begin, std::min<std::size_t>(copy_piece, static_cast<std::size_t>(end - begin)));
      if (n < 0 && errno != EINTR) return errno;
      if (n == 0) break;  // it has become shorter
    }
    return 0;
  }

  static int copy_link(int from_directory, const char* from, int to_directory, const char* to, const struct stat& info) {
    const auto text = read_link(from_directory, from);
    if (!text) return text.error() == EINVAL ? EBUSY : of_source(text.error());  // EINVAL: a link no more
    if (::symlinkat(text->c_str(), to_directory, to) != 0) return errno;
    const timespec times[2] = {info.st_atim, info.st_mtim};
    ::utimensat(to_directory, to, times, AT_SYMLINK_NOFOLLOW);
    return 0;
  }

  // Owner, mode and times, in the order in which one does not spoil the other. EBUSY when the source has changed since
  // `before`, so that the copy is not all of it.
  static int take_over(int source, int copy, const struct stat& before) {
    struct stat info{};
    if (::fstat(source, &info) != 0) return errno;
    if (info.st_size != before.st_size || info.st_mtim.tv_sec != before.st_mtim.tv_sec ||
        info.st_mtim.tv_nsec != before.st_mtim.tv_nsec)
      return EBUSY;
    if (::fchown(copy, info.st_uid, info.st_gid) != 0 && errno != EPERM) return errno;
    if (::fchmod(copy, info.st_mode & permission_bits) != 0) return errno;
    const timespec times[2] = {info.st_atim, info.st_mtim};
    return ::futimens(copy, times) == 0 ? 0 : errno;
  }

  static constexpr std::size_t top = 0;

  const bool copies_;
  const StopFlag& stop_;
  std::vector<Level> levels_;
  TreeState state_ = 0;
};

}  // namespace

std::expected<TreeState, int> tree_state(int directory, const std::string& name, const StopFlag& stop) {
  return TreeCopy(Purpose::look, stop).go_through(directory, name.c_str(), -1, "");
}

std::expected<TreeState, int> copy_tree(int from_directory, const std::string& from, int to_directory, const std::string& to,
                                        const StopFlag& stop) {
  return TreeCopy(Purpose::copy, stop).go_through(from_directory, from.c_str(), to_directory, to.c_str());
}

}  // namespace sa
