// A file system (FUSE) that a test answers for, mounted where only one daemon sees it. Such a daemon is started with
// `in_own_namespace`; the mount goes with it. Main thread, with a thread of its own that answers. The destructor lets
// everything that waits for it fail.
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

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace rig {

inline constexpr const char* in_own_namespace = R"(exec unshare --mount "$@")";

class FuseDisk {
 public:
  static constexpr std::uint64_t valid_seconds = 60;  // how long the kernel believes what it was told
  using Handler = std::function<void(const fuse_in_header& head, const char* body)>;

  // Whether such a disk can be had here; says why not.
  static bool available() {
    static const int error = try_to_mount();
    if (error != 0) MESSAGE("skipped: no file system of our own can be mounted: ", std::strerror(error));
    return error == 0;
  }

  // Without a handler nobody answers.
  FuseDisk(pid_t daemon, const std::filesystem::path& at, Handler handle) : handle_(std::move(handle)) {
    const std::string space = "/proc/" + std::to_string(daemon) + "/ns/mnt";
    const int error = in_child([&] { return join(space) && mount_at(device_, at.c_str()); });
    if (error != 0) throw std::runtime_error(std::string("the disk cannot be mounted: ") + std::strerror(error));
    if (handle_) thread_ = std::thread([this] { serve(); });
  }
  ~FuseDisk() {
    eventfd_write(stop_, 1);
    if (thread_.joinable()) thread_.join();
    close(device_);
    close(stop_);
  }
  FuseDisk(const FuseDisk&) = delete;
  FuseDisk& operator=(const FuseDisk&) = delete;

  void answer_first(const fuse_in_header& head) {
    answer_with(head.unique, fuse_init_out{.major = 7, .minor = 31, .max_write = 4096});
  }
  void answer_entry(std::uint64_t unique, const fuse_attr& attributes) {
    answer_with(unique, fuse_entry_out{.nodeid = attributes.ino,
                                       .generation = 1,
                                       .entry_valid = valid_seconds,
                                       .attr_valid = valid_seconds,
                                       .attr = attributes});
  }
  void answer_attributes(std::uint64_t unique, const fuse_attr& attributes) {
    answer_with(unique, fuse_attr_out{.attr_valid = valid_seconds, .attr = attributes});
  }
  void answer_opened(std::uint64_t unique) { answer_with(unique, fuse_open_out{.fh = 1}); }
  void answer(std::uint64_t unique, int error, std::string_view bytes = {}) {
    const fuse_out_header head{
        .len = static_cast<std::uint32_t>(sizeof head + bytes.size()), .error = -error, .unique = unique};
    std::string whole(reinterpret_cast<const char*>(&head), sizeof head);
    whole += bytes;
    // Fails for one that was interrupted, or when the mount is gone.
    if (write(device_, whole.data(), whole.size()) < 0) return;
  }

 private:
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
    return mount("test-disk", at, "fuse", 0, options.c_str()) == 0;
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
      handle_(head, request.data() + sizeof head);
    }
  }
  template <class Out>
  void answer_with(std::uint64_t unique, const Out& out) {
    answer(unique, 0, {reinterpret_cast<const char*>(&out), sizeof out});
  }

  Handler handle_;
  int device_ = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  int stop_ = eventfd(0, EFD_CLOEXEC);
  std::thread thread_;
};

}  // namespace rig
