// A path that may be worked on: checked in words and bound to its root. Only FileRoot makes the first one. Opening it goes
// through files/resolve.h, where no link and no race leads out of a confining root. A value; the root must outlive it.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace sa {

class FileRoot;

class GuardedPath {
 public:
  // As answers carry it.
  const std::string& absolute() const { return absolute_; }
  // What the kernel resolves: relative to the root's descriptor when it confines, else absolute.
  const std::string& to_resolve() const { return to_resolve_; }
  const FileRoot& root() const { return *root_; }
  // It was spelled with a slash at its end: what is no directory is not meant. Paths made from this one do not inherit it.
  bool means_directory() const { return means_directory_; }
  // The descriptor of a confining root, or an errno: looked for at the first use, and the same for all paths made from this
  // one. Blocking; one thread at a time.
  std::expected<int, int> root_descriptor() const;

  // The entry `name` (one component) of this directory.
  GuardedPath child(std::string_view name) const;
  // The directory this is an entry of, in words; the root itself is its own.
  GuardedPath parent() const;
  // The last component: empty for a root, "." or ".." when it is spelled so.
  std::string_view name() const;
  // Where a link with this text leads when it is found here; an absolute text counts from the file system's root.
  GuardedPath through_link(std::string_view text) const;

 private:
  friend class FileRoot;
  using Pin = std::shared_ptr<const UniqueFd>;
  GuardedPath(const FileRoot& root, std::string to_resolve, std::string absolute);
  GuardedPath(const GuardedPath& origin, std::string to_resolve, std::string absolute)
      : root_(origin.root_), pin_(origin.pin_), to_resolve_(std::move(to_resolve)), absolute_(std::move(absolute)) {}

  const FileRoot* root_;
  std::shared_ptr<Pin> pin_;  // of a confining root; shared, so that the first use counts for all
  std::string to_resolve_;
  std::string absolute_;
  bool means_directory_ = false;
};

}  // namespace sa
