#include "files/copy_tree.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <algorithm>

#include "files/directory_reader.h"
#include "files/file_info.h"
#include "files/link_text.h"
#include "files/resolve.h"

namespace sa {
namespace {

constexpr std::size_t copy_piece = 8u << 20;  // between two looks at the stop flag

class TreeCopy {
 public:
  explicit TreeCopy(const StopFlag& stop) : stop_(stop) {}

  int copy(int from_directory, const char* from, int to_directory, const char* to) const {
    if (stop_) return ECANCELED;
    struct stat info{};
    if (::fstatat(from_directory, from, &info, AT_SYMLINK_NOFOLLOW) != 0) return errno;
    if (S_ISREG(info.st_mode)) return copy_file(from_directory, from, to_directory, to);
    if (S_ISDIR(info.st_mode)) return copy_directory(from_directory, from, to_directory, to);
    if (S_ISLNK(info.st_mode)) return copy_link(from_directory, from, to_directory, to, info);
    if (!S_ISFIFO(info.st_mode)) return EOPNOTSUPP;
    if (::mkfifoat(to_directory, to, info.st_mode & permission_bits) != 0) return errno;
    return 0;
  }

 private:
  int copy_file(int from_directory, const char* from, int to_directory, const char* to) const {
    const UniqueFd source(::openat(from_directory, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!source) return errno;
    const UniqueFd copy(::openat(to_directory, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!copy) return errno;
    struct stat before{};
    if (::fstat(source.get(), &before) != 0) return errno;
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

  int copy_directory(int from_directory, const char* from, int to_directory, const char* to) const {
    const UniqueFd source(::openat(from_directory, from, into_directory));
    if (!source) return errno;
    if (::mkdirat(to_directory, to, 0700) != 0) return errno;
    const UniqueFd copy(::openat(to_directory, to, into_directory));
    if (!copy) return errno;
    struct stat before{};
    if (::fstat(source.get(), &before) != 0) return errno;
    DirectoryReader reader(source.get());
    while (const dirent* entry = reader.next())
      if (const int error = this->copy(source.get(), entry->d_name, copy.get(), entry->d_name)) return error;
    if (reader.error() != 0) return reader.error();
    return take_over(source.get(), copy.get(), before);
  }

  static int copy_link(int from_directory, const char* from, int to_directory, const char* to, const struct stat& info) {
    const auto text = read_link(from_directory, from);
    if (!text) return text.error();
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

  const StopFlag& stop_;
};

}  // namespace

int copy_tree(int from_directory, const std::string& from, int to_directory, const std::string& to, const StopFlag& stop) {
  return TreeCopy(stop).copy(from_directory, from.c_str(), to_directory, to.c_str());
}

}  // namespace sa
