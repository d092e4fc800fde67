// A child process of the tests and the temporary folder it lives in. Not thread-safe. The destructor kills what still
// runs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "deadline.h"

namespace rig {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Launch {
  std::vector<std::string> argv;
  std::vector<std::string> env;  // NAME=value, the whole environment
  std::filesystem::path cwd;
  std::filesystem::path stdin_file = "/dev/null";
  std::filesystem::path stdout_file = "/dev/null";
  std::filesystem::path stderr_file = "/dev/null";
  int passed_fd = -1;                   // given to the child
  int passed_as = 9;                    // under this number
  std::optional<std::uint64_t> nofile;  // soft and hard RLIMIT_NOFILE
  bool own_session = false;             // leader of a new one: a terminal as its stdin becomes its controlling terminal
};

// How a process ended: an exit code, or the number of the signal.
struct Ending {
  int code = -1;
  int signal = 0;
  bool operator==(const Ending&) const = default;
};

class Process {
 public:
  explicit Process(const Launch& launch);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  bool running() const { return !ending_; }
  void signal(int number) const;
  // Nothing when it still runs after the (scaled) deadline.
  std::optional<Ending> wait(milliseconds deadline);

 private:
  pid_t pid_ = -1;
  int pidfd_ = -1;
  std::optional<Ending> ending_;
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view text, bool executable = false);

}  // namespace rig
