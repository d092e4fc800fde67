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
  // For many files, which must stay until the end. An ext4 without a journal steps around every inode freed within the last
  // minutes when it looks for a new one: 10,000 files then take ten times as long. So no file is removed before the end, and
  // the folders lie far apart on the disk, elsewhere in each run.
  std::string make_folder() const;

 private:
  std::string path_;
  pid_t cleaner_ = -1;  // a process that waits for the end of this one, then removes the folder
  int alive_ = -1;      // a pipe to it; closed: go
};

void make_file(const std::string& path, std::uint64_t bytes);
// It must be of this size.
void remove_file(const std::string& path, std::uint64_t bytes);
// It goes to the disk now, and not while something is measured. Better still is a file that is removed before it ever does.
void write_out(const std::string& path);

}  // namespace bench
