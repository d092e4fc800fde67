// Where file paths start and whether they may lead elsewhere. One per daemon; any thread. Its path never changes; a directory
// that takes the place of another at that path becomes the root with the next request.
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "files/guarded_path.h"

namespace sa {

enum class Confined : bool { no, yes };
// How a confined path is resolved: by the kernel, or by walking where it cannot.
enum class Resolution : std::uint8_t { kernel, walk };

class FileRoot {
 public:
  // `directory`: an absolute path. A confining one must exist.
  static Result<FileRoot> open(std::string_view directory, Confined confined, Resolution resolution = best_resolution());
  static Resolution best_resolution();  // asks the kernel

  // A relative path lies below the root; ".." in it, NUL and an empty text are invalid_request, an absolute path outside a
  // confining root is forbidden. A slash at its end says that a directory is meant.
  Result<GuardedPath> guard(std::string_view path) const;
  // The root itself.
  GuardedPath top() const;

  bool confines() const { return confined_ == Confined::yes; }
  Resolution resolution() const { return resolution_; }
  // The directory at a confining root's path now, or an errno when there is none. A link in its place is not followed.
  // Blocking.
  using Opened = std::shared_ptr<const UniqueFd>;
  std::expected<Opened, int> open_now() const;
  const std::string& directory() const { return directory_; }

 private:
  struct Held {
    std::mutex mutex;
    Opened directory;  // what was at the path when it was looked at last
  };
  Result<GuardedPath> guard_tidied(std::string_view path) const;
  FileRoot(std::string directory, std::string as_given, Confined confined, Resolution resolution, UniqueFd descriptor);

  std::string directory_;  // absolute, without "." and doubled slashes; of a confining root as it really is
  std::string as_given_;   // the same before links in it were resolved
  Confined confined_;
  Resolution resolution_;
  std::unique_ptr<Held> held_;  // of a confining root
};

}  // namespace sa
