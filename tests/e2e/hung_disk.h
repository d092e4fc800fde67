// A disk that hangs: a file system (FUSE) that we answer for, or do not, mounted where only one daemon sees it. Such a daemon
// is started with `in_own_namespace`; the mount goes with it. One file is on it, `file`. Main thread, with a thread of its own
// that answers. The destructor lets everything that waits for it fail.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace rig {

inline constexpr const char* in_own_namespace = R"(exec unshare --mount "$@")";

class HungDisk {
 public:
  static constexpr std::uint64_t file_size = 16U << 20U;
  enum class Answers : bool { no, yes };

  // Whether such a disk can be had here; says why not.
  static bool available() {
    static const int error = try_to_mount();
    if (error != 0) MESSAGE("skipped: no file system of our own can be mounted: ", std::strerror(error));
    return error == 0;
  }

  HungDisk(pid_t daemon, const std::filesystem::path& at, Answers answers) {
    const std::string space = "/proc/" + std::to_string(daemon) + "/ns/mnt";
    const int error = in_child([&] { return join(space) && mount_at(device_, at.c_str()); });
    if (error != 0) throw std::runtime_error(std::string("the disk cannot be mounted: ") + std::strerror(error));
    if (answers == Answers::yes) thread_ = std::thread([this] { serve(); });
  }
  ~HungDisk() {
    eventfd_write(stop_, 1);
    if (thread_.joinable()) thread_.join();
    close(device_);
    close(stop_);
  }
  HungDisk(const HungDisk&) = delete;
  HungDisk& operator=(const HungDisk&) = delete;

  // From now on whoever closes a file waits.
  void hold_closes() { holding_ = true; }
  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }
  void release() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
    for (const auto unique : held_) answer(unique, 0);
    held_.clear();
  }

 private:
  static constexpr std::uint64_t root_node = FUSE_ROOT_ID;
  static constexpr std::uint64_t file_node = 2;
  static constexpr std::uint64_t valid_seconds = 60;

  // 0, or the errno that the work in a process of its own ended with.
  template <class Work>
  static int in_child(const Work& work) {
    const pid_t child = fork();
    if (child == 0) _exit(work() ? 0 : errno);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
  }
  static bool join(const std::string& space) {
    const int fd = open(space.c_str(), O_RDONLY | O_CLOEXEC);
    return fd >= 0 && setns(fd, CLONE_NEWNS) == 0;
  }
  static bool mount_at(int device, const char* at) {
    const std::string options = "fd=" + std::to_string(device) + ",rootmode=40000,user_id=0,group_id=0";
    return mount("hung-disk", at, "fuse", 0, options.c_str()) == 0;
  }
  static int try_to_mount() {
    return in_child([] {
      const int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
      return device >= 0 && unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
             mount_at(device, "/tmp");
    });
  }

  void serve() {
    std::vector<char> request(1U << 20U);
    pollfd inputs[2] = {{device_, POLLIN, 0}, {stop_, POLLIN, 0}};
    while (poll(inputs, 2, -1) > 0 && inputs[1].revents == 0) {
      const auto n = read(device_, request.data(), request.size());
      if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ENOENT) return;
      if (n < static_cast<ssize_t>(sizeof(fuse_in_header))) continue;
      fuse_in_header head{};
      std::memcpy(&head, request.data(), sizeof head);
      handle(head, request.data() + sizeof head);
    }
  }

  void handle(const fuse_in_header& head, const char* body) {
    switch (head.opcode) {
      case FUSE_INIT: return answer_with(head.unique, fuse_init_out{.major = 7, .minor = 31, .max_write = 4096});
      case FUSE_LOOKUP:
        if (std::strcmp(body, "file") != 0) return answer(head.unique, ENOENT);
        return answer_with(head.unique, fuse_entry_out{.nodeid = file_node,
                                                       .generation = 1,
                                                       .entry_valid = valid_seconds,
                                                       .attr_valid = valid_seconds,
                                                       .attr = attributes(file_node)});
      case FUSE_GETATTR:
        return answer_with(head.unique, fuse_attr_out{.attr_valid = valid_seconds, .attr = attributes(head.nodeid)});
      case FUSE_OPEN:
      case FUSE_OPENDIR: return answer_with(head.unique, fuse_open_out{.fh = 1});
      case FUSE_READ: {
        fuse_read_in wanted{};
        std::memcpy(&wanted, body, sizeof wanted);
        const auto left = file_size - std::min(wanted.offset, file_size);
        const std::string bytes(std::min<std::uint64_t>(wanted.size, left), 'x');
        return answer(head.unique, 0, bytes);
      }
      case FUSE_FLUSH: return close_file(head.unique);
      case FUSE_RELEASE:
      case FUSE_RELEASEDIR: return answer(head.unique, 0);
      case FUSE_FORGET:
      case FUSE_BATCH_FORGET:
      case FUSE_INTERRUPT: return;
      default: return answer(head.unique, ENOSYS);
    }
  }
  void close_file(std::uint64_t unique) {
    const std::lock_guard lock(mutex_);
    if (holding_) return held_.push_back(unique);
    answer(unique, 0);
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
  template <class Out>
  void answer_with(std::uint64_t unique, const Out& out) {
    answer(unique, 0, {reinterpret_cast<const char*>(&out), sizeof out});
  }
  void answer(std::uint64_t unique, int error, std::string_view bytes = {}) {
    const fuse_out_header head{
        .len = static_cast<std::uint32_t>(sizeof head + bytes.size()), .error = -error, .unique = unique};
    std::string whole(reinterpret_cast<const char*>(&head), sizeof head);
    whole += bytes;
    // Fails for one that was interrupted, or when the mount is gone.
    if (write(device_, whole.data(), whole.size()) < 0) return;
  }

  int device_ = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  int stop_ = eventfd(0, EFD_CLOEXEC);
  std::atomic<bool> holding_ = false;
  std::mutex mutex_;
  std::vector<std::uint64_t> held_;
  std::thread thread_;
};

}  // namespace rig
