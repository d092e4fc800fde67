// One program run to its end under a supervisor: nothing to read on stdin, its output always taken and a tail of it kept, the
// whole tree ended at the time limit or when stopped. Also what a program that exited left running is ended: nothing of it is
// there when this returns. Loop thread only.
#pragma once

#include <functional>

#include "base/clock.h"
#include "base/stop_flag.h"
#include "io/processes.h"

namespace sa {

struct ProgramSpec {
  ChildSpec child;
  Millis time_limit{};  // 0 for none
  std::size_t tail_bytes = std::size_t{16} * 1024;
  const StopFlag* stop = nullptr;                    // becomes true: the program is ended within 100 ms and the grace
  std::function<void(std::uint64_t bytes)> wrote{};  // called twice a second: what it has written so far, wherever to
};

struct ProgramResult {
  std::optional<ExitStatus> exit;  // none: it was never started
  int spawn_error = 0;             // errno, such as ENOENT
  bool timed_out = false;
  bool stopped = false;
  std::string out_tail{}, err_tail{};  // well-formed UTF-8
  bool ok() const { return exit && exit->success() && !timed_out && !stopped; }
};

// Error: agent_spawn_failed when there are no pipes or processes to be had, or no such working directory.
Task<Result<ProgramResult>> run_program(Loop& loop, Processes& processes, ProgramSpec spec);

}  // namespace sa
