#include "io/run_program.h"

#include "base/output_tail.h"
#include "io/attended_child.h"

namespace sa {
namespace {

constexpr Millis grace{500};  // between SIGTERM and SIGKILL

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
