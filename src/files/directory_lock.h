// Exclusive work in a directory, against other threads and other processes that lock it too. Nothing is left behind, and the
// kernel releases the lock of a process that dies. Blocking; any thread.
#pragma once

#include <chrono>
#include <string_view>

#include "base/result.h"
#include "base/stop_flag.h"
#include "base/unique_fd.h"

namespace sa {

struct LockPatience {
  std::chrono::milliseconds limit{5'000};
  std::chrono::milliseconds pause{2};  // between two tries
};

// Held until it is destroyed.
class DirectoryLock {
 public:
  // `directory`: an open descriptor of it; `path` is for words. overloaded when another has it for too long, or on `stop`.
  static Result<DirectoryLock> take(int directory, std::string_view path, const LockPatience& patience, const StopFlag& stop);
  DirectoryLock(DirectoryLock&&) noexcept = default;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

 private:
  explicit DirectoryLock(UniqueFd descriptor) : descriptor_(std::move(descriptor)) {}

  UniqueFd descriptor_;  // a duplicate: the lock belongs to both
};

}  // namespace sa
