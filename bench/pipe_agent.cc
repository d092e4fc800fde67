#include "pipe_agent.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

namespace bench {

PipeAgent::PipeAgent(const std::string& program) {
  int to[2];
  int from[2];
  if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) give_up("pipe");
  pid_ = ::fork();
  if (pid_ < 0) give_up("fork");
  if (pid_ == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    ::execl(program.c_str(), program.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  to_ = to[1];
  from_ = from[0];
}

PipeAgent::~PipeAgent() {
  ::close(to_);  // it ends by itself when its input does
  ::close(from_);
  ::waitpid(pid_, nullptr, 0);
}

std::size_t PipeAgent::exchange(std::string_view line) {
  while (!line.empty()) {
    const ssize_t n = ::write(to_, line.data(), line.size());
    if (n <= 0) give_up("write to the agent");
    line.remove_prefix(static_cast<std::size_t>(n));
  }
  static char scratch[256 * 1024];
  for (std::size_t got = 0;;) {
    const ssize_t n = ::read(from_, scratch, sizeof scratch);
    if (n <= 0) give_up("read from the agent");
    got += static_cast<std::size_t>(n);
    if (scratch[n - 1] == '\n') return got;
  }
}

}  // namespace bench
