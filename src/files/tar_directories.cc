#include "files/tar_directories.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

#include "files/tar_name.h"
#include "files/tar_problem.h"

namespace sa {
namespace {

constexpr std::size_t most = 65'536;
constexpr std::size_t most_name_bytes = 8u << 20;

bool is_gone(int error_number) { return error_number == ENOENT || error_number == ENOTDIR || error_number == ELOOP; }

}  // namespace

Result<void> TarDirectories::add(std::string_view name, mode_t mode, timespec modified) {
  if (remembered_.insert_or_assign(std::string(name), Due{mode, modified}).second) name_bytes_ += name.size();
  if (remembered_.size() < most && name_bytes_ < most_name_bytes) return {};
  return settle();
}

Result<void> TarDirectories::settle() {
  Result<void> result;
  for (const auto& [name, due] : remembered_) {
    const int error = set(name, due);
    if (error != 0 && !is_gone(error) && result) result = fail_tar_entry(error, fmt::format("{}/{}", path_, name));
  }
  remembered_.clear();
  name_bytes_ = 0;
  return result;
}

int TarDirectories::set(std::string_view name, const Due& due) {
  const auto [parent_name, last] = split_tar_name(name);
  const auto parent = parents_.open(parent_name, Parents::must_exist);
  if (!parent) return parent.error();
  const UniqueFd opened(::openat(*parent, std::string(last).c_str(), into_directory));
  struct stat present{};
  if (!opened || ::fstat(opened.get(), &present) != 0) return errno;
  if ((present.st_mode & 07777) != due.mode && ::fchmod(opened.get(), due.mode) != 0) return errno;
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, due.modified};
  return ::futimens(opened.get(), times) == 0 ? 0 : errno;
}

}  // namespace sa
