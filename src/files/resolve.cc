#include "files/resolve.h"

#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "files/file_error.h"
#include "files/link_text.h"
#include "files/path_walk.h"

namespace sa {
namespace {

constexpr int most_symlinks = 40;
constexpr int most_lookups = 16;  // when the tree changes under the kernel's feet

using Opened = std::expected<UniqueFd, int>;

Opened open_beneath(int root, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (int tries = 0; tries < most_lookups; ++tries) {
    UniqueFd fd(static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)));
    if (fd) return fd;
    if (errno != EAGAIN && errno != EINTR) break;
  }
  // A magic link (below /proc) reads as a loop, and a tree in motion may never settle: the walk knows better.
  if (errno == ELOOP || errno == EAGAIN) return walk_beneath(root, path, flags);
  return std::unexpected(errno);
}

Opened open_plain(const std::string& path, int flags) {
  UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC));
  if (!fd) return std::unexpected(errno);
  return fd;
}

Opened try_open(const GuardedPath& path, int flags) {
  const FileRoot& root = path.root();
  if (!(flags & O_PATH)) flags |= O_NOCTTY;  // the two together are refused
  if (path.means_directory()) flags |= O_DIRECTORY;
  if (!root.confines()) return open_plain(path.to_resolve(), flags);
  const auto descriptor = path.root_descriptor();
  if (!descriptor) return std::unexpected(descriptor.error());
  if (root.resolution() == Resolution::kernel) return open_beneath(*descriptor, path.to_resolve(), flags);
  return walk_beneath(*descriptor, path.to_resolve(), flags);
}

Opened try_directory(const GuardedPath& path) {
  Opened opened = try_open(path, O_RDONLY | O_DIRECTORY);
  if (!opened && opened.error() == EACCES) return try_open(path, O_PATH | O_DIRECTORY);  // enough to work in it
  return opened;
}

std::unexpected<Error> leads_nowhere(const GuardedPath& link) {
  return fail(ErrorCode::conflict,
              fmt::format("'{}' is a link to something that is not there. Remove the link, or make what it points to.",
                          link.absolute()));
}

Result<UniqueFd> make_directory(const GuardedPath& path) {
  Opened there = try_directory(path);
  if (there) return std::move(*there);
  if (there.error() != ENOENT || path.name().empty() || path.name() == "..") return fail_file(there.error(), path.absolute());
  TRY(const UniqueFd parent, make_directory(path.parent()));
  const std::string name(path.name());
  const bool is_new = ::mkdirat(parent.get(), name.c_str(), 0777) == 0;
  if (!is_new && errno != EEXIST) return fail_file(errno, path.absolute());
  UniqueFd made(::openat(parent.get(), name.c_str(), into_directory));
  if (made) return made;
  there = try_directory(path);  // somebody put something else there
  if (there) return std::move(*there);
  if (there.error() == ENOENT && !is_new && read_link(parent.get(), name.c_str())) return leads_nowhere(path);
  return fail_file(there.error(), path.absolute());
}

bool names_an_entry(const GuardedPath& path) {
  return !path.name().empty() && path.name() != ".." && path.absolute() != path.root().directory();
}

}  // namespace

Result<UniqueFd> open_at(const GuardedPath& path, int flags) {
  Opened opened = try_open(path, flags);
  if (!opened) return fail_file(opened.error(), path.absolute());
  return std::move(*opened);
}

Result<UniqueFd> open_directory(const GuardedPath& path, Parents parents) {
  if (parents == Parents::create) return make_directory(path);
  Opened opened = try_directory(path);
  if (!opened) return fail_file(opened.error(), path.absolute());
  return std::move(*opened);
}

Result<Place> place_of(const GuardedPath& path, Parents parents) {
  if (!names_an_entry(path))
    return fail(Error{
        ErrorCode::invalid_request,
        fmt::format("'{}' does not name an entry of a directory. Name one below the file root.", path.absolute()),
        {}}.with_text("field", "path"));
  TRY(UniqueFd directory, open_directory(path.parent(), parents));
  return Place{std::move(directory), std::string(path.name()), path.absolute(), path.means_directory()};
}

Result<UniqueFd> nearest_directory(GuardedPath path) {
  for (;;) {
    auto directory = open_directory(path);
    if (directory || directory.error().code != ErrorCode::not_found || path.name().empty()) return directory;
    const auto place = place_of(path);
    if (place && read_link(place->directory.get(), place->name.c_str())) return leads_nowhere(path);
    path = path.parent();
  }
}

std::expected<struct stat, int> look_at(const Place& place) {
  struct stat info{};
  if (::fstatat(place.directory.get(), place.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return std::unexpected(errno);
  if (place.means_directory && !S_ISDIR(info.st_mode)) return std::unexpected(ENOTDIR);
  return info;
}

Result<Place> place_behind_links(GuardedPath path, Parents parents) {
  for (int links = 0; links <= most_symlinks; ++links) {
    if (links > 0 && !names_an_entry(path)) return fail_file(EISDIR, path.absolute());
    TRY(Place place, place_of(path, parents));
    const auto text = read_link(place.directory.get(), place.name.c_str());
    if (!text) return place;  // not a link
    if (path.root().confines() && text->starts_with('/')) return fail_file(EXDEV, path.absolute());
    path = path.through_link(*text);
  }
  return fail_file(ELOOP, path.absolute());
}

}  // namespace sa
