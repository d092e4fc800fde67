#include "files/tar_parents.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "files/tar_name.h"

namespace sa {
namespace {

// Links fail as ENOTDIR when a directory is asked for.
int tell_link(int from, const char* name, int error_number) {
  struct stat found{};
  if (error_number == ENOTDIR && ::fstatat(from, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode))
    return ELOOP;
  return error_number;
}

}  // namespace

std::expected<int, int> TarParents::open(std::string_view directory, Parents parents) {
  made_count_ = 0;
  if (directory.empty()) return target_;
  if (last_ && directory == last_name_) return last_.get();
  UniqueFd at;
  std::string name;
  for (std::size_t end = 0; end < directory.size();) {
    const std::size_t begin = end == 0 ? 0 : end + 1;
    end = std::min(directory.find('/', begin), directory.size());
    name = directory.substr(begin, end - begin);
    const std::size_t made_before = made_count_;
    auto next = step(at ? at.get() : target_, name.c_str(), parents);
    if (made_count_ > made_before) made_ = directory.substr(0, end);
    if (!next) return std::unexpected(next.error());
    at = std::move(*next);
  }
  last_ = std::move(at);
  last_name_ = directory;
  return last_.get();
}

std::expected<UniqueFd, int> TarParents::step(int from, const char* name, Parents parents) {
  UniqueFd next(::openat(from, name, into_directory));
  if (!next && errno == ENOENT && parents == Parents::create) {
    if (::mkdirat(from, name, 0777) == 0) {
      ++made_count_;
    } else if (errno != EEXIST) {
      return std::unexpected(errno);
    }
    next.reset(::openat(from, name, into_directory));
  }
  if (!next) return std::unexpected(tell_link(from, name, errno));
  return next;
}

void TarParents::undo() {
  const std::string deepest = std::exchange(made_, {});
  std::string_view doomed = deepest;
  for (std::size_t left = std::exchange(made_count_, 0); left > 0; --left) {
    const auto [directory, name] = split_tar_name(doomed);
    last_.reset();
    const auto parent = open(directory, Parents::must_exist);
    if (!parent || ::unlinkat(*parent, std::string(name).c_str(), AT_REMOVEDIR) != 0) return;
    doomed = directory;
  }
}

}  // namespace sa
