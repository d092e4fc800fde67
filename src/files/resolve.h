// From guarded paths to descriptors. Blocking; any thread.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <expected>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "files/file_root.h"

namespace sa {

// An entry of an open directory. It need not exist.
struct Place {
  UniqueFd directory;
  std::string name;              // one component, never ".", ".." or empty
  std::string path;              // absolute, for words
  bool means_directory = false;  // as GuardedPath

  // For system calls that do not follow a name: with the slash, so that the kernel refuses (ENOTDIR) what is no directory.
  std::string spelled() const { return means_directory ? name + "/" : name; }
};

// Flags to open a subdirectory by its name, and never what a link in its place leads to.
inline constexpr int into_directory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

enum class Parents : bool { must_exist, create };

// open() of what exists, following links within the root's rules; O_CLOEXEC and O_NOCTTY are added. A path that means a
// directory is a conflict when it leads to something else.
Result<UniqueFd> open_at(const GuardedPath& path, int flags);

// A directory, for reading where that is allowed; made with its parents when asked to.
Result<UniqueFd> open_directory(const GuardedPath& path, Parents parents = Parents::must_exist);

// The entry a path names, its last component not followed. invalid_request for a path that ends in ".." or names the root.
Result<Place> place_of(const GuardedPath& path, Parents parents = Parents::must_exist);

// The directory itself, or the nearest one above it that exists; conflict when a link on the way leads nowhere.
Result<UniqueFd> nearest_directory(GuardedPath path);

// What is at a place, links not followed, or an errno: ENOTDIR for what is no directory where one is meant.
std::expected<struct stat, int> look_at(const Place& place);

// As place_of(), but a last component that is a link is followed to the entry it stands for, which need not exist either.
Result<Place> place_behind_links(GuardedPath path, Parents parents = Parents::must_exist);

}  // namespace sa
