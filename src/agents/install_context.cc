#include "agents/install_context.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace sa {
namespace {

std::string how_it_ended(const ProgramResult& result) {
  if (result.timed_out) return "did not end in time";
  if (!result.exit) return "was lost";
  if (result.exit->signal) return "was ended by " + signal_name(result.exit->signal);
  return fmt::format("ended with code {}", result.exit->code);
}

Error step_failure(const std::string& what, const ChildSpec& child, std::string cause, const std::string& output,
                   TellingLine telling) {
  const std::string said = telling(output);
  if (!said.empty()) cause += ": " + said;
  return Error{ErrorCode::install_failed, fmt::format("{} {}", what, cause), {}}
      .with_text("command", command_of(child))
      .with_text("stderr", repair_utf8(output, output.size()));
}

}  // namespace

std::string command_of(const ChildSpec& child) { return fmt::format("{}", fmt::join(child.argv, " ")); }

Task<Result<ProgramResult>> run_step(InstallContext& context, std::string what, ChildSpec child, Millis time_limit,
                                     TellingLine telling) {
  ProgramSpec spec{.child = child, .time_limit = time_limit, .stop = context.stop, .wrote = context.wrote};
  CO_TRY(ProgramResult result, co_await run_program(context.loop, context.processes, std::move(spec)));
  if (result.stopped) co_return fail_stopped();
  if (result.spawn_error)
    co_return fail(step_failure(what, child, "could not be started: " + errno_text(result.spawn_error), "", telling));
  if (!result.ok())
    co_return fail(step_failure(what, child, how_it_ended(result),
                                is_blank(result.err_tail) ? result.out_tail : result.err_tail, telling));
  co_return result;
}

}  // namespace sa
