// The echo agent at the other end of two pipes: what a request costs without HTTP between. Blocking.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace bench {

class PipeAgent {
 public:
  explicit PipeAgent(const std::string& program);
  PipeAgent(const PipeAgent&) = delete;
  ~PipeAgent();

  pid_t pid() const { return pid_; }
  // Writes a line and reads the one that comes back; returns its length. `line` ends with a newline.
  std::size_t exchange(std::string_view line);

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
};

}  // namespace bench
