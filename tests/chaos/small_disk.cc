#include "small_disk.h"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

namespace chaos {
namespace {

bool enter_own_namespace() {
  const auto user = geteuid();
  const auto group = getegid();
  if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  if (user != 0) {
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  }
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

}  // namespace

bool may_mount() {
  static const bool may = enter_own_namespace();
  return may;
}

void SmallDisk::mount_below(const std::filesystem::path& home) {
  const auto folder = home / "small";
  std::filesystem::create_directory(folder);
  if (may_mount() && mount("none", folder.c_str(), "tmpfs", 0, "size=1m") == 0) mounted_ = folder;
}

SmallDisk::~SmallDisk() {
  if (!mounted_.empty()) umount2(mounted_.c_str(), MNT_DETACH);
}

}  // namespace chaos
