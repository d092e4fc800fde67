// A disk that hangs: one of our own that answers, or does not. One file is on it, `file`. Main thread, as FuseDisk.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

#include "fuse_disk.h"

namespace rig {

class HungDisk {
 public:
  static constexpr std::uint64_t file_size = 16U << 20U;
  enum class Answers : bool { no, yes };

  static bool available() { return FuseDisk::available(); }

  HungDisk(pid_t daemon, const std::filesystem::path& at, Answers answers)
      : disk_(
            daemon, at, answers == Answers::no ? FuseDisk::Handler() : [this](const fuse_in_header& head, const char* body) {
              handle(head, body);
            }) {}

  // From now on whoever closes a file waits.
  void hold_closes() { holding_ = true; }
  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }
  void release() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
    for (const auto unique : held_) disk_.answer(unique, 0);
    held_.clear();
  }

 private:
  static constexpr std::uint64_t root_node = FUSE_ROOT_ID;
  static constexpr std::uint64_t file_node = 2;

  void handle(const fuse_in_header& head, const char* body) {
    switch (head.opcode) {
      case FUSE_INIT: return disk_.answer_first(head);
      case FUSE_LOOKUP:
        if (std::strcmp(body, "file") != 0) return disk_.answer(head.unique, ENOENT);
        return disk_.answer_entry(head.unique, attributes(file_node));
      case FUSE_GETATTR: return disk_.answer_attributes(head.unique, attributes(head.nodeid));
      case FUSE_OPEN:
      case FUSE_OPENDIR: return disk_.answer_opened(head.unique);
      case FUSE_READ: {
        fuse_read_in wanted{};
        std::memcpy(&wanted, body, sizeof wanted);
        const auto left = file_size - std::min(wanted.offset, file_size);
        const std::string bytes(std::min<std::uint64_t>(wanted.size, left), 'x');
        return disk_.answer(head.unique, 0, bytes);
      }
      case FUSE_FLUSH: return close_file(head.unique);
      case FUSE_RELEASE:
      case FUSE_RELEASEDIR: return disk_.answer(head.unique, 0);
      case FUSE_FORGET:
      case FUSE_BATCH_FORGET:
      case FUSE_INTERRUPT: return;
      default: return disk_.answer(head.unique, ENOSYS);
    }
  }
  void close_file(std::uint64_t unique) {
    const std::lock_guard lock(mutex_);
    if (holding_) return held_.push_back(unique);
    disk_.answer(unique, 0);
  }

  static fuse_attr attributes(std::uint64_t node) {
    const bool directory = node == root_node;
    return {.ino = node,
            .size = directory ? 4096 : file_size,
            .mtime = 1'500'000'000,
            .ctime = 1'500'000'000,
            .mode = directory ? 0040755U : 0100644U,
            .nlink = 1,
            .blksize = 4096};
  }

  std::atomic<bool> holding_ = false;
  std::mutex mutex_;
  std::vector<std::uint64_t> held_;
  FuseDisk disk_;  // last: it answers from a thread of its own
};

}  // namespace rig
