// A disk of one megabyte at ~/small of the daemon, where something can be mounted; else a folder like others. Goes with its
// owner.
#pragma once

#include <filesystem>

namespace chaos {

// In a mount namespace of our own; before the first thread. False: nothing can be mounted here.
bool may_mount();

class SmallDisk {
 public:
  SmallDisk() = default;
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  void mount_below(const std::filesystem::path& home);
  bool is_small() const { return !mounted_.empty(); }

 private:
  std::filesystem::path mounted_;
};

}  // namespace chaos
