#include "files/directory_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <thread>

#include "files/file_error.h"

namespace sa {

Result<DirectoryLock> DirectoryLock::take(int directory, std::string_view path, const LockPatience& patience,
                                          const StopFlag& stop) {
  UniqueFd descriptor(::fcntl(directory, F_DUPFD_CLOEXEC, 0));
  if (!descriptor) return fail_file(errno, path);
  const auto deadline = std::chrono::steady_clock::now() + patience.limit;
  while (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EBADF) return fail_file(EACCES, path);  // we may work in the directory, but not open it
    if (errno != EWOULDBLOCK && errno != EINTR) return fail_file(errno, path);
    if (stop) return fail_stopped();
    if (std::chrono::steady_clock::now() >= deadline)
      return fail(ErrorCode::overloaded, fmt::format("Another program holds the lock of '{}'. Try again later.", path));
    std::this_thread::sleep_for(patience.pause);
  }
  return DirectoryLock(std::move(descriptor));
}

DirectoryLock::~DirectoryLock() {
  // By name and not by closing: a process being started may hold a copy for a moment.
  if (descriptor_) ::flock(descriptor_.get(), LOCK_UN);
}

}  // namespace sa
