#include "daemon/background_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <thread>

#include "daemon/world.h"
#include "files/names_in.h"

namespace sa {
namespace {

constexpr Millis between_tries{10};

}  // namespace

std::string background_lock_file(const std::string& folder) { return folder + "/daemon" + world_suffix() + ".lock"; }

Outcome<std::optional<UniqueFd>> try_background_lock(const std::string& folder) {
  UniqueFd file(::open(background_lock_file(folder).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return std::move(file);
  if (file && errno == EWOULDBLOCK) return std::nullopt;
  return failed({.exit = Exit::failure,
                 .what = "the lock of the background daemon cannot be used",
                 .why = fmt::format("{}: {}", background_lock_file(folder), errno_text(errno))});
}

Outcome<UniqueFd> replacement_lock(Millis patience, const std::string& folder) {
  const std::string path = folder + "/replace.lock";
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  const TimePoint deadline = Clock::now() + patience;
  while (file) {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file;
    if (errno != EWOULDBLOCK || Clock::now() >= deadline) break;
    std::this_thread::sleep_for(between_tries);
  }
  return failed({.exit = Exit::failure,
                 .what = "the background daemon cannot be started anew",
                 .why = fmt::format("{} cannot be locked: {}", path, errno_text(errno)),
                 .what_to_do = "sandbox-agent daemon stop, then again"});
}

bool has_background_lock_open(pid_t pid, const std::string& folder) {
  struct stat lock{};
  if (::stat(background_lock_file(folder).c_str(), &lock) != 0) return false;
  const std::string descriptors = fmt::format("/proc/{}/fd", pid);
  for (const std::string& name : names_in(descriptors)) {
    struct stat open{};
    if (::stat(fmt::format("{}/{}", descriptors, name).c_str(), &open) == 0 && open.st_dev == lock.st_dev &&
        open.st_ino == lock.st_ino)
      return true;
  }
  return false;
}

}  // namespace sa
