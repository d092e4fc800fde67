#include "files/open_regular.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "files/file_error.h"
#include "files/resolve.h"

namespace sa {
namespace {

// The same file once more, for reading. Through /proc, where there is one; by its path where not.
Result<UniqueFd> open_again(const UniqueFd& found, const GuardedPath& path) {
  constexpr int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  UniqueFd opened(::open(fmt::format("/proc/self/fd/{}", found.get()).c_str(), flags));
  if (!opened && errno == ENOENT) return open_at(path, flags);
  if (!opened) return fail_file(errno, path.absolute());
  return opened;
}

Result<void> check_regular(const struct stat& info, const GuardedPath& path) {
  if (S_ISREG(info.st_mode)) return {};
  if (S_ISDIR(info.st_mode)) return fail_file(EISDIR, path.absolute());
  return fail(ErrorCode::conflict, fmt::format("'{}' is not a regular file. Name one that is.", path.absolute()));
}

}  // namespace

Result<RegularFile> open_regular(const GuardedPath& path) {
  TRY(const UniqueFd found, open_at(path, O_PATH));
  RegularFile file;
  if (::fstat(found.get(), &file.info) != 0) return fail_file(errno, path.absolute());
  if (auto right = check_regular(file.info, path); !right) return std::unexpected(right.error());
  TRY(file.descriptor, open_again(found, path));
  if (::fstat(file.descriptor.get(), &file.info) != 0) return fail_file(errno, path.absolute());
  if (auto right = check_regular(file.info, path); !right) return std::unexpected(right.error());
  return file;
}

}  // namespace sa
