#include "files/move.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <tuple>

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

bool is_at(const Place& place, const struct stat& file) {
  const auto found = look_at(place);
  return found && same_file(*found, file);
}

// A name with a slash at its end is none of a file, neither of the one that is there nor of the one that comes. A directory
// that is there is replaced by either.
bool means_another_kind(const Place& to, const struct stat& source) {
  const auto target = look_at(to);
  return to.means_directory && !target && (target.error() == ENOTDIR || !S_ISDIR(source.st_mode));
}

// The link would take the place of what it leads to, and lead nowhere but to itself.
bool leads_to(const Place& link, const Place& to) {
  struct stat behind{};
  const auto source = look_at(link);
  const auto target = look_at(to);
  return source && target && S_ISLNK(source->st_mode) && ::fstatat(link.directory.get(), link.name.c_str(), &behind, 0) == 0 &&
         same_file(behind, *target);
}

int rename_with(const Place& from, const Place& to, unsigned flags) {
  const std::string source = from.spelled();
  return ::renameat2(from.directory.get(), source.c_str(), to.directory.get(), to.name.c_str(), flags) == 0 ? 0 : errno;
}

// Fails with EEXIST when the name is taken; on file systems that cannot promise that, by a look just before.
int rename_to_free_name(const Place& from, const Place& to) {
  const int error = rename_with(from, to, RENAME_NOREPLACE);
  if (error != EINVAL && error != ENOSYS) return error;
  return look_at(to) ? EEXIST : rename_with(from, to, 0);
}

// Another name beside a place, of whatever kind; a hidden one unless it is said.
Place beside(const Place& place, std::string name = hidden_name()) {
  std::string path = place.path.substr(0, place.path.rfind('/') + 1) + name;
  return {UniqueFd(::fcntl(place.directory.get(), F_DUPFD_CLOEXEC, 0)), std::move(name), std::move(path)};
}

Moved remove_hidden(const Place& hidden, const StopFlag& stop) {
  return remove(hidden, Recursive::yes, stop) ? Moved{} : Moved{hidden.path};
}

// What is in the way of nobody any more goes; out of sight first, so that a part of it is never taken for the whole.
Moved remove_aside(const Place& place, const StopFlag& stop) {
  const Place aside = beside(place);
  return remove_hidden(rename_with(place, aside, 0) == 0 ? aside : place, stop);
}

std::unexpected<Error> fail_move(int error, const Place& to) {
  if (error == EINVAL)
    return fail(
        ErrorCode::conflict,
        fmt::format("'{}' cannot take the place of a directory it lies in, or the other way round. Choose another target.",
                    to.path));
  if (error == EOPNOTSUPP)
    return fail(ErrorCode::conflict, "A socket or device cannot be moved to another file system. Delete it first.");
  if (error == ECANCELED) return fail_stopped();
  return fail_file(error, to.path);
}

// What copy_tree() or tree_state() failed with. The source gets its name back before anybody reads this.
std::unexpected<Error> fail_copy(int error, const Place& source, const Place& from, const Place& to) {
  if (!look_at(source)) return fail_file(ENOENT, from.path);
  if (error != EBUSY) return fail_move(error, to);
  return fail(ErrorCode::conflict,
              fmt::format("'{}' was changed while it was moved to another file system, and is where it was. Try again when "
                          "nobody writes to it.",
                          from.path));
}

std::unexpected<Error> fail_displaced(const Place& place, const Place& aside) {
  return fail(ErrorCode::conflict,
              fmt::format("Nothing was moved, and something else has the name '{}' now. What had it is '{}': give it another "
                          "name.",
                          place.path, aside.path));
}

// Whether a directory is `ancestor` or lies below it.
bool lies_in(int directory, const struct stat& ancestor) {
  UniqueFd at(::openat(directory, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat here{};
  struct stat below{};
  for (bool first = true; at && ::fstat(at.get(), &here) == 0; first = false) {
    if (same_file(here, ancestor)) return true;
    if (!first && same_file(here, below)) return false;  // the top
    below = here;
    at.reset(::openat(at.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  return false;
}

// nullopt: the two cannot be exchanged by renaming, because they count as lying on different devices.
using Renamed = Result<std::optional<Moved>>;

// Where even going aside is too much (a directory of a container image's layer) the old is removed first.
Renamed replace_after_removal(const Place& from, const Place& to, const StopFlag& stop) {
  if (auto removed = remove(to, Recursive::yes, stop); !removed) return std::unexpected(removed.error());
  const int error = rename_to_free_name(from, to);
  if (error == EXDEV) return std::nullopt;
  if (error != 0) return fail_move(error, to);
  return Moved{};
}

// Where the two cannot change places in one step: the old goes aside, and comes back if the new cannot follow.
Renamed replace_by_turns(const Place& from, const Place& to, const StopFlag& stop) {
  const Place old = beside(to);
  const int stuck = rename_with(to, old, 0);
  if (stuck == EXDEV) return replace_after_removal(from, to, stop);
  if (stuck != 0) return fail_move(stuck, to);
  const int error = rename_to_free_name(from, to);
  if (error != 0) (void)rename_with(old, to, 0);
  if (error == EXDEV) return std::nullopt;
  if (error != 0) return fail_move(error, to);
  return remove_hidden(old, stop);
}

// What rename() does not replace: a directory that is filled, or something of another kind.
Renamed replace_whatever(const Place& from, const Place& to, const struct stat& target, const StopFlag& stop) {
  if (S_ISDIR(target.st_mode) && lies_in(from.directory.get(), target)) return fail_move(EINVAL, to);
  const int error = rename_with(from, to, RENAME_EXCHANGE);
  if (error == EINVAL || error == ENOSYS || error == EXDEV) return replace_by_turns(from, to, stop);
  if (error != 0) return fail_move(error, to);
  return remove_aside(beside(from, from.name), stop);  // without its slash: what was replaced may be a file
}

// rename() has done nothing: the two are hard links, of which the source goes, or one name that is found in another case of its
// letters, too. No look tells them apart for certain. But when the target is aside, only a second name can still be renamed.
Renamed leave_one_name(const Place& from, const Place& to, const StopFlag& stop) {
  const Place old = beside(to);
  if (const int stuck = rename_with(to, old, 0)) return fail_move(stuck, to);
  const int error = rename_to_free_name(from, to);
  if (error == 0) return remove(old, Recursive::no, stop) ? Moved{} : Moved{old.path};
  if (rename_to_free_name(old, to) != 0) return fail_displaced(to, old);
  if (error != ENOENT) return fail_move(error, from);
  return Moved{};
}

Renamed move_here(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop) {
  const auto source = look_at(from);
  const auto target = look_at(to);
  if (!source) return fail_file(source.error(), from.path);
  int error = EEXIST;
  if (!target || overwrite == Overwrite::no) error = rename_to_free_name(from, to);
  if (error == EEXIST && target && overwrite == Overwrite::yes) {
    error = rename_with(from, to, 0);
    if (error == ENOTEMPTY || error == EEXIST || error == EISDIR || error == ENOTDIR)
      return replace_whatever(from, to, *target, stop);
    if (error == 0 && is_at(from, *source)) return leave_one_name(from, to, stop);
  }
  if (error == EXDEV) return std::nullopt;
  if (error != 0) return fail_move(error, to);
  return Moved{};
}

// Between devices nobody else refuses it: the copy would contain itself, or the source go with what it replaces.
bool one_lies_in_the_other(const Place& from, const Place& to) {
  const auto source = look_at(from);
  const auto target = look_at(to);
  return (source && S_ISDIR(source->st_mode) && lies_in(to.directory.get(), *source)) ||
         (target && S_ISDIR(target->st_mode) && lies_in(from.directory.get(), *target));
}

// 0, or an errno: EBUSY when somebody has changed the source since it was copied.
int compare_with_copied(const Place& source, TreeState copied, const StopFlag& stop) {
  const auto now = tree_state(source.directory.get(), source.name, stop);
  if (!now) return now.error();
  return *now == copied ? 0 : EBUSY;
}

// The copy takes the target's place.
Result<Moved> place_copy(const Place& copy, const Place& to, Overwrite overwrite, const StopFlag& stop) {
  TRY(auto placed, move_here(copy, to, overwrite, stop));
  if (!placed) return fail_move(EBUSY, to);
  return std::move(*placed);
}

Result<Moved> move_between_devices(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop) {
  if (overwrite == Overwrite::no && look_at(to)) return fail_file(EEXIST, to.path);
  if (one_lies_in_the_other(from, to)) return fail_move(EINVAL, to);
  const Place copy = beside(to);
  const Place aside = beside(from);
  const StopFlag never = false;
  const auto copied = copy_tree(from.directory.get(), from.name, copy.directory.get(), copy.name, stop);
  // From here on nobody finds the source by its name. Where it cannot go aside it is looked at in its place.
  const bool gone_aside = copied && rename_with(from, aside, 0) == 0;
  const Place& source = gone_aside ? aside : from;
  const int error = copied ? compare_with_copied(source, *copied, stop) : copied.error();
  auto placed = error == 0 ? place_copy(copy, to, overwrite, stop) : fail_copy(error, source, from, to);
  if (placed) {
    Moved moved = remove_hidden(source, stop);
    if (!moved.left_behind.empty()) return moved;
    return placed;
  }
  const bool is_back = !gone_aside || rename_to_free_name(aside, from) == 0;
  std::ignore = remove(copy, Recursive::yes, never);
  if (is_back) return placed;
  return fail_displaced(from, aside);
}

}  // namespace

Result<Moved> move(const Place& from, const Place& to, Overwrite overwrite, const StopFlag& stop) {
  const auto source = look_at(from);
  if (!source) return fail_file(source.error(), from.path);
  if (means_another_kind(to, *source)) return fail_file(ENOTDIR, to.path);
  if (same_place(from, to)) return Moved{};
  if (overwrite == Overwrite::yes && leads_to(from, to))
    return fail(ErrorCode::conflict,
                fmt::format("'{}' is a link to '{}', which would be lost. Delete the link, or move what it leads to.",
                            from.path, to.path));
  if (::faccessat(from.directory.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) return fail_file(errno, from.path);
  TRY(auto moved, move_here(from, to, overwrite, stop));
  return moved ? Result<Moved>(std::move(*moved)) : move_between_devices(from, to, overwrite, stop);
}

}  // namespace sa
