// A folder for files, in TMPDIR or /var/tmp: removed with this object, and also when the benchmark ends in any other way. And
// what is done with files in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace bench {

class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ~ScratchFolder();

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  pid_t cleaner_ = -1;  // a process that waits for the end of this one, then removes the folder
  int alive_ = -1;      // a pipe to it; closed: go
};

void make_file(const std::string& path, std::uint64_t bytes);
// It must be of this size.
void remove_file(const std::string& path, std::uint64_t bytes);
// Whatever was written so far goes to the disk now, not while something is measured.
void write_out();

}  // namespace bench
