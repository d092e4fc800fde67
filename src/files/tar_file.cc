#include "files/tar_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/unique_fd.h"
#include "files/tar_new_name.h"
#include "files/tar_problem.h"

namespace sa {
namespace {

int write_all(int file, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

Result<void> write_content(int file, const TarEntry& entry, TarEntries& entries, std::string_view path) {
  std::uint64_t end = 0;
  while (entry.size > 0) {
    TRY(const std::optional<TarBlock> block, entries.next_block());
    if (!block) break;
    if (block->bytes.size() > entry.size || block->offset > entry.size - block->bytes.size())
      return refuse_tar_entry(entry.name, "its map of holes does not fit its size");
    if (const int error = write_all(file, block->bytes, block->offset); error != 0) return fail_tar_entry(error, path);
    end = std::max(end, block->offset + block->bytes.size());
  }
  if (end < entry.size && ::ftruncate(file, static_cast<off_t>(entry.size)) != 0) return fail_tar_entry(errno, path);
  return {};
}

// Mode (the umask may have taken something away) and time; then the file is closed, which may fail as well.
int finish(UniqueFd file, const TarEntry& entry) {
  struct stat made{};
  if (::fstat(file.get(), &made) != 0) return errno;
  if ((made.st_mode & 07777) != entry.mode && ::fchmod(file.get(), entry.mode) != 0) return errno;
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, entry.modified};
  if (::futimens(file.get(), times) != 0) return errno;
  return ::close(file.release()) == 0 || errno == EINTR ? 0 : errno;
}

}  // namespace

Result<void> write_tar_file(int directory, std::string_view name, const TarEntry& entry, TarEntries& entries,
                            std::string_view path) {
  UniqueFd file;
  TarNewName place(directory, name);
  int error = place.make([&](const char* free_name) {
    file.reset(::openat(directory, free_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, entry.mode & 0777));
    return file ? 0 : errno;
  });
  if (error != 0) return fail_tar_entry(error, path);
  if (auto written = write_content(file.get(), entry, entries, path); !written) return written;
  error = finish(std::move(file), entry);
  if (error == 0) error = place.commit();
  if (error != 0) return fail_tar_entry(error, path);
  return {};
}

}  // namespace sa
