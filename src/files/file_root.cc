#include "files/file_root.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <climits>
#include <cstdlib>
#include <memory>

#include "files/file_error.h"
#include "files/file_info.h"

namespace sa {
namespace {

std::unexpected<Error> bad_path(std::string_view why) {
  return fail(Error{ErrorCode::invalid_request, fmt::format("The path {}.", why), {}}.with_text("field", "path"));
}

// Without "." components, doubled and trailing slashes. ".." stays: only the kernel knows where it leads.
std::string tidied(std::string_view path) {
  std::string tidy(path.starts_with('/') ? "/" : "");
  while (!path.empty()) {
    const std::string_view component = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), component.size() + 1));
    if (component.empty() || component == ".") continue;
    if (!tidy.empty() && !tidy.ends_with('/')) tidy += '/';
    tidy += component;
  }
  return tidy;
}

bool has_dotdot(std::string_view tidy) { return ("/" + std::string(tidy) + "/").find("/../") != std::string::npos; }

std::string below(const std::string& directory, std::string_view rest) {
  if (rest.empty()) return directory;
  return directory + (directory.ends_with('/') ? "" : "/") + std::string(rest);
}

// What is left of `path` behind `directory`, or nullopt when it lies elsewhere.
std::optional<std::string_view> behind(std::string_view path, std::string_view directory) {
  if (directory == "/") return path.substr(1);
  if (!path.starts_with(directory)) return std::nullopt;
  path.remove_prefix(directory.size());
  if (path.empty()) return path;
  if (!path.starts_with('/')) return std::nullopt;
  return path.substr(1);
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? real.get() : "";
}

// Without "..": what is up to the last one as it really is, the rest as it is written.
std::string without_dotdot(const std::string& path) {
  const std::size_t last = (path + "/").rfind("/../");
  if (last == std::string::npos) return path;
  const std::size_t end = last + std::string_view("/..").size();
  return below(real_path(path.substr(0, end)), std::string_view(path).substr(std::min(end + 1, path.size())));
}

// A real path had no link in it; one that has taken the root's place meanwhile is not followed.
UniqueFd open_root(const std::string& path) {
  return UniqueFd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace

Resolution FileRoot::best_resolution() {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const UniqueFd here(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof how)));
  return here ? Resolution::kernel : Resolution::walk;
}

Result<FileRoot> FileRoot::open(std::string_view directory, Confined confined, Resolution resolution) {
  const std::string as_given = tidied(directory);
  if (!as_given.starts_with('/')) return fail(ErrorCode::invalid_request, "The file root must be an absolute path.");
  if (confined == Confined::no) return FileRoot(as_given, as_given, confined, resolution, {});
  std::string real = real_path(as_given);
  if (real.empty()) return fail_file(errno, as_given);
  UniqueFd descriptor = open_root(real);
  if (!descriptor) return fail_file(errno, as_given);
  return FileRoot(std::move(real), without_dotdot(as_given), confined, resolution, std::move(descriptor));
}

FileRoot::FileRoot(std::string directory, std::string as_given, Confined confined, Resolution resolution, UniqueFd descriptor)
    : directory_(std::move(directory)),
      as_given_(std::move(as_given)),
      confined_(confined),
      resolution_(resolution),
      held_(descriptor ? std::make_unique<Held>() : nullptr) {
  if (held_) held_->directory = std::make_shared<const UniqueFd>(std::move(descriptor));
}

// Who may not look at the path (any more) keeps what was opened.
std::expected<FileRoot::Opened, int> FileRoot::open_now() const {
  struct stat at_path{};
  const int missing = ::stat(directory_.c_str(), &at_path) == 0 ? 0 : errno;
  if (missing == ENOENT || missing == ENOTDIR) return std::unexpected(missing);
  const std::lock_guard lock(held_->mutex);
  struct stat held{};
  if (missing != 0 || (::fstat(held_->directory->get(), &held) == 0 && same_file(held, at_path))) return held_->directory;
  UniqueFd another = open_root(directory_);
  if (!another) return std::unexpected(errno);
  held_->directory = std::make_shared<const UniqueFd>(std::move(another));
  return held_->directory;
}

GuardedPath FileRoot::top() const { return {*this, confines() ? "." : directory_, directory_}; }

Result<GuardedPath> FileRoot::guard(std::string_view path) const {
  auto guarded = guard_tidied(path);
  if (guarded) guarded->means_directory_ = path.ends_with('/') || path.ends_with("/.");
  return guarded;
}

Result<GuardedPath> FileRoot::guard_tidied(std::string_view path) const {
  if (path.empty()) return bad_path("is empty; name a file or directory");
  if (path.size() >= PATH_MAX)
    return bad_path("is longer than the system takes; shorten it, or name it relative to the file root");
  if (path.find('\0') != std::string_view::npos) return bad_path("contains a NUL character, which no file name can");
  const std::string tidy = tidied(path);
  std::string_view rest = tidy;
  if (!tidy.starts_with('/')) {
    if (has_dotdot(tidy))
      return bad_path("is relative and contains '..'; name what lies below the file root, or give an absolute path");
  } else if (!confines()) {
    return GuardedPath(*this, tidy, tidy);
  } else {
    auto inside = behind(tidy, directory_);
    if (!inside) inside = behind(tidy, as_given_);
    if (!inside)
      return fail(ErrorCode::forbidden,
                  fmt::format("'{}' is outside of the file root. Choose a path below '{}'.", tidy, directory_));
    rest = *inside;
  }
  std::string absolute = below(directory_, rest);
  if (!confines()) return GuardedPath(*this, absolute, absolute);
  return GuardedPath(*this, rest.empty() ? "." : std::string(rest), std::move(absolute));
}

}  // namespace sa
