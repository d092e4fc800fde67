// A disk of our own on which upper and lower case are the same in names, though a name keeps the case it was given. It has one
// folder. Hard links are told apart from a name in another case only by what is in names(). Main thread, as FuseDisk.
#pragma once

#include <strings.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "fuse_disk.h"

namespace rig {

class FoldingDisk {
 public:
  using Names = std::map<std::string, std::uint64_t>;  // equal numbers: hard links of one file
  static constexpr std::uint64_t a_directory = 100;    // and above: what these numbers are

  FoldingDisk(pid_t daemon, const std::filesystem::path& at, Names names)
      : names_(std::move(names)),
        disk_(daemon, at, [this](const fuse_in_header& head, const char* body) { handle(head, body); }) {}

  Names names() {
    const std::lock_guard lock(mutex_);
    return names_;
  }

 private:
  void handle(const fuse_in_header& head, const char* body) {
    const std::lock_guard lock(mutex_);
    switch (head.opcode) {
      case FUSE_INIT: return disk_.answer_first(head);
      case FUSE_LOOKUP: {
        const auto found = find(body);
        if (found == names_.end()) return disk_.answer(head.unique, ENOENT);
        return disk_.answer_entry(head.unique, attributes(found->second));
      }
      case FUSE_GETATTR: return disk_.answer_attributes(head.unique, attributes(head.nodeid));
      case FUSE_RENAME: {
        const char* from = body + sizeof(fuse_rename_in);
        return disk_.answer(head.unique, rename(from, from + std::strlen(from) + 1));
      }
      case FUSE_UNLINK: return disk_.answer(head.unique, unlink(body));
      case FUSE_OPENDIR: return disk_.answer_opened(head.unique);
      case FUSE_RELEASEDIR: return disk_.answer(head.unique, 0);
      case FUSE_FORGET:
      case FUSE_BATCH_FORGET:
      case FUSE_INTERRUPT: return;
      default: return disk_.answer(head.unique, ENOSYS);
    }
  }

  Names::iterator find(const char* name) {
    return std::ranges::find_if(names_, [&](const auto& entry) { return strcasecmp(entry.first.c_str(), name) == 0; });
  }
  int rename(const char* from, const char* to) {
    const auto source = find(from);
    const auto target = find(to);
    if (source == names_.end()) return ENOENT;
    if (target != source && target != names_.end()) {
      if (target->second == source->second) return 0;
      names_.erase(target);
    }
    const auto node = source->second;
    names_.erase(source);
    names_[to] = node;
    return 0;
  }
  int unlink(const char* name) {
    const auto found = find(name);
    if (found == names_.end()) return ENOENT;
    names_.erase(found);
    return 0;
  }

  fuse_attr attributes(std::uint64_t node) const {
    const bool directory = node == FUSE_ROOT_ID || node >= a_directory;
    const auto links = std::ranges::count_if(names_, [&](const auto& entry) { return entry.second == node; });
    return {.ino = node,
            .mtime = 1'500'000'000,
            .ctime = 1'500'000'000,
            .mode = directory ? 0040755U : 0100644U,
            .nlink = directory ? 2U : static_cast<std::uint32_t>(links),
            .blksize = 4096};
  }

  std::mutex mutex_;
  Names names_;
  FuseDisk disk_;  // last: it answers from a thread of its own
};

}  // namespace rig
