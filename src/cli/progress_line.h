// An install's progress on stderr: one line that changes on a terminal; elsewhere a line per phase and per 10 %. Lives as long
// as the install; one thread.
#pragma once

#include <string>

#include "agents/install_job.h"

namespace sa {

class ProgressLine {
 public:
  explicit ProgressLine(std::string agent);
  void show(const InstallProgress& progress);
  void end();  // the line is gone from the terminal

 private:
  std::string agent_;
  bool terminal_;
  bool visible_ = false;
  std::string phase_;
  unsigned tenths_ = 0;
};

// "12.4 MB" for people.
std::string size_text(std::uint64_t bytes);

}  // namespace sa
