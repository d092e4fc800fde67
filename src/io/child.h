// One agent process under its supervisor, as the daemon sees it: three pipes and what the supervisor reported.
// Made by Processes; shared by the instance that talks to it and by Processes until nothing of the tree is left.
// Loop thread only.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/async_fd.h"
#include "io/task.h"

namespace sa {

struct ChildSpec {
  std::vector<std::string> argv;
  std::vector<std::string> env;  // NAME=value, complete
  std::string cwd{};             // where it starts; empty: where we are
};

struct ExitStatus {
  int code = -1;   // exit code, or -1 when a signal ended it
  int signal = 0;  // signal number, or 0
  bool success() const { return code == 0; }
};

// "SIGKILL" for 9.
std::string signal_name(int number);
// "exited with code 1", "was ended by SIGKILL"; "ended" when it is not known how.
std::string exit_text(const std::optional<ExitStatus>& exit);

class Child {
 public:
  explicit Child(Loop& loop) : control_wake_(loop) {}

  AsyncFd in;   // we write the agent's stdin
  AsyncFd out;  // we read its stdout
  AsyncFd err;  // and its stderr

  // Who is notified when any of the states below changes; may be replaced or null.
  void set_listener(Signal* listener) { listener_ = listener; }

  pid_t pid() const { return pid_; }  // the agent's, once it runs
  bool running() const { return pid_ > 0 && !exit_; }
  int spawn_error() const { return spawn_error_; }  // errno, or 0
  const std::optional<ExitStatus>& exit() const { return exit_; }
  bool gone() const { return gone_; }  // nothing of the tree is left
  bool supervisor_lost() const { return supervisor_lost_; }

  // Ends the whole tree: SIGTERM to every descendant, SIGKILL after the grace. May be repeated with a shorter grace.
  void stop(Millis grace);
  // For a tree that stop() did not end in time: kills the supervisor, whose descendants then fall to the daemon and end there.
  void abandon();

 private:
  friend class Processes;
  void changed() {
    if (listener_) listener_->notify();
  }

  AsyncFd control_;
  Signal control_wake_;
  Signal* listener_ = nullptr;
  pid_t supervisor_ = -1;
  pid_t pid_ = -1;
  int spawn_error_ = 0;
  std::optional<ExitStatus> exit_;
  bool gone_ = false;
  bool supervisor_lost_ = false;
};

}  // namespace sa
