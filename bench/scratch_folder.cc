#include "scratch_folder.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "process.h"

namespace bench {
namespace {

std::string make_unique_folder(const std::string& parent) {
  std::string path = parent + "/sandbox-bench-XXXXXX";
  if (!::mkdtemp(path.data())) give_up(path.c_str());
  return path;
}

// Asks an ext file system to place folders made in this one far from each other (chattr +T); others ignore it.
void spread_folders_in(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int flags = 0;
  if (::ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
    flags |= FS_TOPDIR_FL;
    ::ioctl(fd, FS_IOC_SETFLAGS, &flags);
  }
  ::close(fd);
  errno = 0;
}

// Servers that end with the benchmark may still be writing.
void remove_at_last(const std::string& path) {
  constexpr int attempts = 50;
  std::error_code error;
  for (int at = 0; at < attempts; ++at) {
    std::filesystem::remove_all(path, error);
    if (!std::filesystem::exists(path, error)) return;
    ::usleep(100'000);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const char* parent = std::getenv("TMPDIR");
  path_ = make_unique_folder(std::filesystem::absolute(parent && *parent ? parent : "/var/tmp"));
  spread_folders_in(path_);
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) give_up("pipe");
  cleaner_ = ::fork();
  if (cleaner_ < 0) give_up("fork");
  if (cleaner_ == 0) {
    ::setsid();  // Ctrl-C is not for us
    ::close(pipe[1]);
    char byte = 0;
    while (::read(pipe[0], &byte, 1) < 0) continue;
    remove_at_last(path_);
    ::_exit(0);
  }
  ::close(pipe[0]);
  alive_ = pipe[1];
}

ScratchFolder::~ScratchFolder() {
  ::close(alive_);
  ::waitpid(cleaner_, nullptr, 0);
}

std::string ScratchFolder::make_folder() const { return make_unique_folder(path_); }

void make_file(const std::string& path, std::uint64_t bytes) {
  static const std::string piece(256 * 1024, 'x');
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) give_up(path.c_str());
  while (bytes > 0) {
    const ssize_t n = ::write(file, piece.data(), std::min<std::uint64_t>(piece.size(), bytes));
    if (n <= 0) give_up(path.c_str());
    bytes -= static_cast<std::uint64_t>(n);
  }
  ::close(file);
}

void remove_file(const std::string& path, std::uint64_t bytes) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) != bytes) give_up((path + " is not of the right size").c_str());
  std::filesystem::remove(path);
}

void write_out(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (::fdatasync(file) != 0) give_up(path.c_str());
  ::close(file);
}

}  // namespace bench
