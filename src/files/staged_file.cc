#include "files/staged_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <mutex>

#include "base/write_all.h"
#include "files/file_error.h"
#include "files/hidden_name.h"

namespace sa {
namespace {

constexpr int most_tries = 16;  // when somebody else creates and removes the target at the same time
constexpr mode_t mode_bits = 07777;

// Between the look at a condition and the rename: one of these, by the directory, so that a disk that hangs hardly holds up
// another.
std::mutex commit_mutexes[1024];

std::unique_lock<std::mutex> lock_commits_in(int directory) {
  struct stat info{};
  ::fstat(directory, &info);
  return std::unique_lock(commit_mutexes[(info.st_dev * 31 + info.st_ino) % std::size(commit_mutexes)]);
}

std::string descriptor_path(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

// A nameless file gets its name through /proc.
bool can_name_the_nameless() {
  static const bool can = ::access("/proc/self/fd", X_OK) == 0;
  return can;
}

// The new file looks to others like the one it replaces. Only root can keep a foreign owner.
int look_like(int file, const struct stat& present) {
  struct stat own{};
  if (::fstat(file, &own) != 0) return errno;
  if ((own.st_uid != present.st_uid || own.st_gid != present.st_gid) && ::fchown(file, present.st_uid, present.st_gid) != 0 &&
      errno != EPERM)
    return errno;
  return ::fchmod(file, present.st_mode & mode_bits) == 0 ? 0 : errno;
}

}  // namespace

Result<StagedFile> StagedFile::make(Place place, mode_t mode, Naming naming) {
  std::string hidden;
  UniqueFd file;
  if (naming == Naming::nameless && can_name_the_nameless())
    file.reset(::openat(place.directory.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  if (!file) {
    hidden = hidden_name();
    file.reset(::openat(place.directory.get(), hidden.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, mode));
  }
  if (!file) return fail_file(errno, place.path);
  return StagedFile(std::move(place), std::move(file), std::move(hidden));
}

Result<StagedFile> StagedFile::begin(Place place, mode_t new_mode, Naming naming) {
  const auto present = look_at(place);
  if (present && S_ISDIR(present->st_mode)) return fail_file(EISDIR, place.path);
  const bool replaces = present && S_ISREG(present->st_mode);
  if (present && !replaces && !S_ISLNK(present->st_mode))
    return fail(ErrorCode::conflict, fmt::format("'{}' is not a regular file. Choose another name.", place.path));
  TRY(StagedFile staged, make(std::move(place), replaces ? 0600 : new_mode, naming));
  if (replaces) {
    if (const int error = look_like(staged.file_.get(), *present)) return fail_file(error, staged.path());
  }
  return staged;
}

Result<StagedFile> StagedFile::begin(const GuardedPath& target, Naming naming) {
  auto place = place_behind_links(target);
  if (place) return begin(std::move(*place), 0666, naming);
  if (place.error().code != ErrorCode::not_found) return std::unexpected(place.error());
  TRY(UniqueFd directory, nearest_directory(target.parent()));
  TRY(StagedFile staged, make({std::move(directory), {}, target.absolute()}, 0666, naming));
  staged.stage_ = std::move(staged.place_.directory);
  staged.homeless_ = target;
  return staged;
}

StagedFile::StagedFile(Place place, UniqueFd file, std::string hidden_name)
    : place_(std::move(place)), file_(std::move(file)), hidden_name_(std::move(hidden_name)) {}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : place_(std::move(other.place_)),
      stage_(std::move(other.stage_)),
      homeless_(std::move(other.homeless_)),
      file_(std::move(other.file_)),
      hidden_name_(std::exchange(other.hidden_name_, {})) {}

StagedFile::~StagedFile() { drop_hidden_name(); }

void StagedFile::drop_hidden_name() {
  if (!hidden_name_.empty()) ::unlinkat(stage(), hidden_name_.c_str(), 0);
  hidden_name_.clear();
}

Result<void> StagedFile::write(std::string_view bytes) {
  if (const int error = write_all(file_.get(), bytes); error != 0) return fail_file(error, place_.path);
  return {};
}

// Fails with EEXIST when the name is taken; on file systems that cannot promise that, by a look just before.
int StagedFile::take_free_name() {
  const int directory = place_.directory.get();
  if (hidden_name_.empty()) {
    const std::string nameless = descriptor_path(file_.get());
    return ::linkat(AT_FDCWD, nameless.c_str(), directory, place_.name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  }
  if (::renameat2(stage(), hidden_name_.c_str(), directory, place_.name.c_str(), RENAME_NOREPLACE) == 0) {
    hidden_name_.clear();
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) return errno;
  return look_at(place_) ? EEXIST : replace();
}

int StagedFile::replace() {
  if (hidden_name_.empty()) {
    std::string name = hidden_name();
    if (::linkat(AT_FDCWD, descriptor_path(file_.get()).c_str(), stage(), name.c_str(), AT_SYMLINK_FOLLOW) != 0) return errno;
    hidden_name_ = std::move(name);
  }
  if (::renameat(stage(), hidden_name_.c_str(), place_.directory.get(), place_.name.c_str()) != 0) return errno;
  hidden_name_.clear();
  return 0;
}

Result<void> StagedFile::check(const Condition& condition) const {
  if (!condition) return {};
  const auto present = homeless_ ? std::unexpected(ENOENT) : look_at(place_);
  return condition(present ? &*present : nullptr);
}

Result<struct stat> StagedFile::commit(const Condition& condition) {
  if (homeless_) {
    if (auto allowed = check(condition); !allowed) return std::unexpected(allowed.error());
    TRY(place_, place_behind_links(*homeless_, Parents::create));
    homeless_.reset();
  }
  const auto lock = lock_commits_in(place_.directory.get());  // without a condition too: it must not come between
  int error = EEXIST;
  for (int tries = 0; error == EEXIST && tries < most_tries; ++tries) {
    const bool present = look_at(place_).has_value();
    if (auto allowed = check(condition); !allowed) return std::unexpected(allowed.error());
    error = present ? replace() : take_free_name();
  }
  if (error == ENOENT)
    return fail(ErrorCode::conflict, fmt::format("The directory of '{}' was removed meanwhile. Try again.", place_.path));
  if (error == EXDEV)
    return fail(ErrorCode::conflict,
                fmt::format("'{}' is a link to a missing directory on another device. Make that first.", place_.path));
  if (error != 0) return fail_file(error, place_.path);
  drop_hidden_name();  // now, because that changes the file's ctime
  struct stat written{};
  if (::fstat(file_.get(), &written) != 0) return fail_file(errno, place_.path);
  return written;
}

}  // namespace sa
