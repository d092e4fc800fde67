#include "files/tar_directories.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "files/tar_name.h"
#include "files/tar_problem.h"

namespace sa {
namespace {

constexpr std::size_t kMost = 65'536;
constexpr std::size_t kMostNameBytes = 8u << 20;

bool is_gone(int error_number) { return error_number == ENOENT || error_number == ENOTDIR || error_number == ELOOP; }

}  // namespace

Result<void> TarDirectories::add(std::string_view name, mode_t mode, timespec modified) {
  remembered_.push_back({std::string(name), mode, modified});
  name_bytes_ += name.size();
  if (remembered_.size() < kMost && name_bytes_ < kMostNameBytes) return {};
  return settle();
}

Result<void> TarDirectories::settle() {
  auto directories = std::exchange(remembered_, {});
  name_bytes_ = 0;
  // The deepest first, so that none is closed before those in it; of the same name only the last counts.
  std::ranges::stable_sort(directories, std::ranges::greater(), &Remembered::name);
  Result<void> result;
  for (auto at = directories.begin(); at != directories.end(); ++at) {
    if (const auto after = std::next(at); after != directories.end() && after->name == at->name) continue;
    const int error = set(*at);
    if (error != 0 && !is_gone(error) && result) result = fail_tar_entry(error, fmt::format("{}/{}", path_, at->name));
  }
  return result;
}

int TarDirectories::set(const Remembered& directory) {
  const auto [parent_name, name] = split_tar_name(directory.name);
  const auto parent = parents_.open(parent_name, Parents::must_exist);
  if (!parent) return parent.error();
  const UniqueFd opened(::openat(*parent, std::string(name).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat present{};
  if (!opened || ::fstat(opened.get(), &present) != 0) return errno;
  if ((present.st_mode & 07777) != directory.mode && ::fchmod(opened.get(), directory.mode) != 0) return errno;
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, directory.modified};
  return ::futimens(opened.get(), times) == 0 ? 0 : errno;
}

}  // namespace sa
