#include "files/move.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>

#include "files/copy_tree.h"
#include "files/file_error.h"
#include "files/file_info.h"
#include "files/hidden_name.h"

namespace sa {
namespace {

bool same_place(const Place& a, const Place& b) {
  struct stat one{};
  struct stat other{};
  return a.name == b.name && ::fstat(a.directory.get(), &one) == 0 && ::fstat(b.directory.get(), &other) == 0 &&
         same_file(one, other);
}

int rename_with(const Place& from, const Place& to, unsigned flags) {
  return ::renameat2(from.directory.get(), from.name.c_str(), to.directory.get(), to.name.c_str(), flags) == 0 ? 0 : errno;
}

// For file systems that cannot refuse to replace: a link refuses, a directory replaces nothing but an empty one.
int rename_to_free_name_elsehow(const Place& from, const Place& to) {
  if (look_at(to)) return EEXIST;
  if (::linkat(from.directory.get(), from.name.c_str(), to.directory.get(), to.name.c_str(), 0) == 0)
    return ::unlinkat(from.directory.get(), from.name.c_str(), 0) == 0 ? 0 : errno;
  if (errno == EEXIST) return EEXIST;
  return rename_with(from, to, 0);
}

int rename_to_free_name(const Place& from, const Place& to) {
  const int error = rename_with(from, to, RENAME_NOREPLACE);
  if (error != EINVAL && error != ENOSYS) return error;
  const auto source = look_at(from);
  if (error == EINVAL && source && S_ISDIR(source->st_mode)) return rename_with(from, to, 0);  // perhaps into itself
  return rename_to_free_name_elsehow(from, to);
}

std::unexpected<Error> fail_move(int error, const Place& to) {
  if (error == EINVAL)
    return fail(ErrorCode::conflict,
                fmt::format("'{}' cannot take the place of a directory it lies in, or the other way round. "
                            "Choose another target.",
                            to.path));
  if (error == EOPNOTSUPP)
    return fail(ErrorCode::conflict, "A socket or device cannot be moved to another file system. Delete it first.");
  if (error == ECANCELED) return fail_stopped();
  return fail_file(error, to.path);
}

// The two change places, so that `to` is never missing; then what was there goes.
Result<void> exchange(const Place& from, const Place& to, const StopFlag& stop) {
  if (const int error = rename_with(from, to, RENAME_EXCHANGE)) return fail_move(error, to);
  return remove(from, Recursive::yes, stop);
}

Result<bool> moved(const Result<void>& done) {
  if (!done) return std::unexpected(done.error());
  return true;
}

// False when the two lie on different devices: then nothing has happened.
Result<bool> move_here(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop) {
  const auto source = look_at(from);
  const auto target = look_at(to);
  if (!source) return fail_file(source.error(), from.path);
  int error = EEXIST;
  if (!target || overwrite == Overwrite::no) error = rename_to_free_name(from, to);
  if (error == EEXIST && overwrite == Overwrite::yes) {
    if (target && same_file(*source, *target) && !S_ISDIR(source->st_mode))  // two names of one file: rename() would keep both
      return moved(remove(from, Recursive::no, stop));
    error = rename_with(from, to, 0);
    const bool only_by_turns = error == ENOTEMPTY || error == EEXIST || error == EISDIR || error == ENOTDIR;
    if (only_by_turns) return moved(exchange(from, to, stop));
  }
  if (error == EXDEV) return false;
  if (error != 0) return fail_move(error, to);
  return true;
}

Place beside(const Place& place) {
  return {UniqueFd(::fcntl(place.directory.get(), F_DUPFD_CLOEXEC, 0)), hidden_name(), place.path};
}

Result<void> move_between_devices(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop) {
  if (overwrite == Overwrite::no && look_at(to)) return fail_file(EEXIST, to.path);
  if (::faccessat(from.directory.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) return fail_file(errno, from.path);
  const Place copy = beside(to);
  const StopFlag never = false;
  if (const int error = copy_tree(from.directory.get(), from.name, copy.directory.get(), copy.name, stop)) {
    (void)remove(copy, Recursive::yes, never);
    return fail_move(error, to);
  }
  if (auto placed = move_here(copy, to, overwrite, stop); !placed) {
    (void)remove(copy, Recursive::yes, never);
    return std::unexpected(placed.error());
  }
  return remove(from, Recursive::yes, stop);
}

}  // namespace

Result<void> move(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop) {
  if (const auto source = look_at(from); !source) return fail_file(source.error(), from.path);
  if (same_place(from, to)) return {};
  TRY(const bool here, move_here(from, to, overwrite, stop));
  return here ? Result<void>{} : move_between_devices(from, to, overwrite, stop);
}

}  // namespace sa
