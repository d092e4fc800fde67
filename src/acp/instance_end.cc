// How an instance ends: by itself, by DELETE, or because its output cannot be used.
#include <fmt/format.h>

#include "acp/instance.h"
#include "base/log.h"
#include "base/utf8.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr Millis drain_time{200};        // for what an ended agent left in its pipe
constexpr Millis exit_after_eof{1'000};  // an agent that closes its stdout or stdin should be on its way out
constexpr Millis kill_time{200};         // beyond the grace, for the supervisor to end the tree; then it is done without it
constexpr Millis close_slack{400};       // beyond the grace, then DELETE answers anyway

// `reason`: why we ended it, when we did; the signal was ours then, and says nothing.
std::string exited_message(const std::optional<ExitStatus>& exit, const std::optional<Error>& reason) {
  const bool success = exit && exit->success();
  const std::string code = exit && exit->code >= 0 ? fmt::format("{}", exit->code) : "null";
  const std::string signal = exit && exit->signal ? fmt::format("\"{}\"", signal_name(exit->signal)) : "null";
  std::string message =
      fmt::format(R"({{"jsonrpc":"2.0","method":"_adapter/agent_exited","params":{{"success":{},"code":{},"signal":{})",
                  success, code, signal);
  if (reason) {
    message += R"(,"reason":)";
    append_json_string(message, reason->detail);
  }
  return message + "}}";
}

}  // namespace

// Watches the child from its start until nothing of it is left and the instance is closed.
Task<> Instance::live(std::shared_ptr<Instance> self) {
  Instance& me = *self;
  me.child_->set_listener(&me.wake_);
  while (!(me.closing_ && me.finished_ && me.child_->gone())) {
    if (me.child_->exit() && !me.draining_ && !me.finished_) me.on_exit();
    if (me.draining_ && !me.finished_ && (me.stdout_ended_ || me.drain_over_)) {
      me.finish();
      continue;
    }
    if (me.finished_ && me.child_->gone()) me.timer_.cancel();
    const bool deaf_or_mute = (me.stdout_ended_ || me.outbox_.broken()) && !me.closing_;
    if (deaf_or_mute && !me.child_->exit() && !me.timer_.armed() && !me.lingers_) {
      me.timer_.arm_in(exit_after_eof, [&me] {
        me.lingers_ = true;
        me.wake_.notify();
      });
    }
    if (me.lingers_ && !me.closing_ && !me.child_->exit() && !me.end_reason_)
      me.end_with({ErrorCode::agent_io_failed,
                   fmt::format("The agent was stopped because it closed its {} while still running. "
                               "DELETE the instance and start a new one.",
                               me.stdout_ended_ ? "output" : "input"),
                   {}});
    if (me.ring_deadline_.expired()) me.ring_->keep_newest();
    co_await me.wake_.wait();
  }
  me.child_->set_listener(nullptr);
  for (Signal* watcher : me.watchers_) watcher->notify();
}

void Instance::on_exit() {
  draining_ = true;
  stdout_wake_.notify();
  timer_.arm_in(drain_time, [this] {
    drain_over_ = true;
    wake_.notify();
  });
}

void Instance::finish() {
  draining_ = true;
  read_leftovers();
  say(exited_message(child_->exit(), end_reason_));
  finished_ = true;
  log::info("agent {}, pid {}, {}", agent_, child_->pid(), exit_text(child_->exit()));
  abandon_in_time();
  requests_.fail_all(exit_error());
  outbox_.close();
  child_->out.close();
  child_->err.close();
  stdout_wake_.notify();
  stderr_wake_.notify();
  if (closing_) {
    ring_->close();
  } else {
    context_.exited_ring_deadlines.arm(ring_deadline_);
    ring_->wake_readers();
  }
  for (Signal* watcher : watchers_) watcher->notify();
}

// What the agent started ends with it. A supervisor that does not see to that (a descendant may have stopped it) goes too.
void Instance::abandon_in_time() {
  timer_.arm_in(context_.settings.stop_grace + kill_time, [this] { child_->abandon(); });
}

// We end the agent ourselves; what waits for it is told why. What it still says is heard.
void Instance::end_with(Error reason) {
  end_reason_ = std::move(reason);
  requests_.fail_all(stopped_error());
  outbox_.close();
  child_->stop(context_.settings.stop_grace);
  stdout_wake_.notify();
  abandon_in_time();
}

Task<> Instance::close(std::string why) {
  const auto self = shared_from_this();
  closing_ = true;
  closing_reason_ = std::move(why);
  requests_.fail_all(exit_error());
  outbox_.close();
  child_->stop(context_.settings.stop_grace);
  stdout_wake_.notify();
  if (finished_) ring_->close();
  Signal done(context_.loop);
  watchers_.push_back(&done);
  const TimeLimit patience(context_.loop, context_.settings.stop_grace + kill_time, done);
  const TimeLimit limit(context_.loop, context_.settings.stop_grace + close_slack, done);
  wake_.notify();
  while (!limit.over() && !(finished_ && child_->gone())) {
    if (patience.over()) child_->abandon();
    co_await done.wait();
  }
  std::erase(watchers_, &done);
  if (!child_->gone()) {
    child_->abandon();  // both limits may have passed while we did not run
    log::warn("agent process {} could not be ended in time; it is reaped when it goes", child_->pid());
  }
  if (!finished_) finish();
}

}  // namespace sa
