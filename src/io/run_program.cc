#include "io/run_program.h"

#include <fmt/format.h>

#include <fstream>

#include "base/output_tail.h"
#include "io/attended_child.h"
#include "io/timer.h"

namespace sa {
namespace {

constexpr Millis grace{500};  // between SIGTERM and SIGKILL
constexpr Millis between_counts{500};

// The kernel's count for a process and the children it has waited for; 0 when there is none.
std::uint64_t bytes_written_by(pid_t pid) {
  std::ifstream counts(fmt::format("/proc/{}/io", pid));
  std::string name;
  for (std::uint64_t count = 0; counts >> name >> count;)
    if (name == "wchar:") return count;
  return 0;
}

// Tells what a child has written, while it lives.
class WriteCount {
 public:
  WriteCount(Loop& loop, const Child& child, const std::function<void(std::uint64_t)>& tell)
      : child_(child), tell_(tell), timer_(loop) {
    if (tell_) wait();
  }

 private:
  void wait() {
    timer_.arm_in(between_counts, [this] {
      if (child_.running()) tell_(bytes_written_by(child_.pid()));
      wait();
    });
  }

  const Child& child_;
  const std::function<void(std::uint64_t)>& tell_;
  Timer timer_;
};

}  // namespace

Task<Result<ProgramResult>> run_program(Loop& loop, Processes& processes, ProgramSpec spec) {
  ProgramResult result;
  if (spec.stop && *spec.stop) {
    result.stopped = true;
    co_return result;
  }
  CO_TRY(const std::shared_ptr<Child> child, processes.start(spec.child));
  OutputTail out(spec.tail_bytes), err(spec.tail_bytes);
  AttendedChild program(
      loop, child, spec.time_limit, spec.stop, [&](std::string_view bytes) { out.append(bytes); },
      [&](std::string_view bytes) { err.append(bytes); });
  const WriteCount count(loop, *child, spec.wrote);
  program.close_input();
  while (!child->exit() && !child->gone() && !program.timed_out() && !program.stopped()) co_await program.news();
  if (!child->exit() && !child->gone()) {
    result.timed_out = program.timed_out();
    result.stopped = !result.timed_out;
  }
  co_await program.end(grace);
  result.exit = child->exit();
  result.spawn_error = child->spawn_error();
  result.out_tail = out.text();
  result.err_tail = err.text();
  co_return result;
}

}  // namespace sa
