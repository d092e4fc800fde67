#include "files/file_info.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "base/utc_time.h"
#include "files/link_text.h"

namespace sa {
namespace {

std::optional<std::string> special_kind(mode_t mode) {
  if (S_ISFIFO(mode)) return "fifo";
  if (S_ISSOCK(mode)) return "socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "device";
  return std::nullopt;
}

// As one number of nanoseconds, times after 2262 would not fit.
std::string in_hex(const timespec& time) { return fmt::format("{:x}.{:x}", time.tv_sec, time.tv_nsec); }

}  // namespace

FileInfo describe(const struct stat& info) {
  return {.type = S_ISDIR(info.st_mode) ? EntryType::directory : EntryType::file,
          .size = static_cast<std::uint64_t>(info.st_size),
          .modified = rfc3339(info.st_mtim),
          .mode = fmt::format("{:04o}", info.st_mode & permission_bits),
          .symlink = std::nullopt,
          .special = special_kind(info.st_mode)};
}

std::optional<FileInfo> look(int directory, const char* name) {
  struct stat info{};
  if (::fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  FileInfo found = describe(info);
  if (S_ISLNK(info.st_mode)) {
    auto text = read_link(directory, name);
    if (!text) return std::nullopt;
    found.symlink = std::move(*text);
  }
  return found;
}

std::string etag_of(const struct stat& info) {
  return fmt::format("\"{:x}-{:x}-{:x}-{}-{}\"", info.st_dev, info.st_ino, info.st_size, in_hex(info.st_mtim),
                     in_hex(info.st_ctim));
}

}  // namespace sa
