// What the agent writes: lines of stdout become events, stderr a tail.
#include <fmt/format.h>

#include <algorithm>

#include "acp/instance.h"
#include "base/utf8.h"
#include "io/read_pipe.h"

namespace sa {
namespace {

constexpr std::size_t raw_in_messages = 4 * 1024;
constexpr Millis look_again{50};
constexpr std::size_t a_full_pipe = 64 * 1024;  // as the system makes them

}  // namespace

Task<> Instance::read_stdout(std::shared_ptr<Instance> self) {
  while (!self->finished_) {
    std::string_view bytes;
    const Got got = read_pipe(self->child_->out, bytes);
    if (got == Got::end) break;
    if (got == Got::bytes) {
      if (bytes.size() >= a_full_pipe) widen_pipe(self->child_->out);
      self->lines_.feed(bytes);
      co_await self->take_lines();
      self->ring_->wake_readers();
    }
    if (self->finished_ || !self->child_->out.is_open()) break;
    self->child_->out.arm_read(self->stdout_wake_);
    co_await self->stdout_wake_.wait();
  }
  self->stdout_ended_ = true;
  self->wake_.notify();
}

Task<> Instance::take_lines() {
  while (!finished_) {
    const auto line = lines_.front();
    const std::string_view begun = line ? *line : lines_.rest();
    if (begun.size() > context_.settings.max_line_bytes && !(line && draining_)) co_return on_long_line(begun);
    if (!line) co_return;
    if (may_be_held() && ring_->would_lap(line->size(), false, context_.clock.now())) {
      co_await wait_for_readers(line->size());
      continue;
    }
    draining_ ? on_last_line(*line) : on_line(*line);
    lines_.pop();
  }
}

// Readers may hold an agent, but not one that is to end: it may have to write before it can.
bool Instance::may_be_held() const { return !draining_ && !closing_ && !end_reason_; }

// Nothing more of this agent can be used: where its next line begins would be a guess.
void Instance::on_long_line(std::string_view line) {
  if (draining_) {  // it has ended already
    on_last_line(line);
    return lines_.clear();
  }
  const std::size_t limit = context_.settings.max_line_bytes;
  on_bad_line(line, fmt::format("the line is longer than {} bytes; the agent was stopped", limit));
  lines_.clear();
  child_->out.close();
  if (end_reason_) return;
  end_with({ErrorCode::agent_io_failed,
            fmt::format("The agent was stopped because it wrote a line longer than {} bytes (--max-line-bytes). "
                        "DELETE the instance and start a new one.",
                        limit),
            {}});
}

// A reader that keeps reading is a full ring behind: leave the agent's output in the pipe until it has caught up a little, or
// until it has held the agent long enough.
Task<> Instance::wait_for_readers(std::size_t size) {
  ring_->wake_readers();
  ring_->set_room_listener(&stdout_wake_);
  context_.clock.watch();
  const TimePoint since = context_.clock.now();
  Timer timer(context_.loop);
  while (may_be_held() && !finished_ && ring_->would_lap(size, true, context_.clock.now())) {
    if (context_.clock.now() - since >= context_.settings.reader_hold) {
      ring_->stop_waiting_for_laggards(size, context_.clock.now());
      break;
    }
    timer.arm_in(look_again, [this] { stdout_wake_.notify(); });
    co_await stdout_wake_.wait();
  }
  context_.clock.unwatch();
  ring_->set_room_listener(nullptr);
}

EventId Instance::say(std::string_view payload) {
  last_activity_ = unix_millis();
  return ring_->append(payload, draining_, draining_ ? context_.clock.now() : TimePoint{});
}

void Instance::on_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (is_blank(line)) return;
  const AgentLine seen = look_at_line(line);
  if (!seen.is_json) return on_bad_line(line, fmt::format("not JSON: {}", seen.error));
  EventId event = 0;
  if (seen.has_carriage_return) {
    std::string blanked(line);
    std::ranges::replace(blanked, '\r', ' ');
    event = say(blanked);
  } else {
    event = say(line);
  }
  if (seen.kind == EnvelopeKind::request) requests_.agent_asked(seen.id);
  if (seen.kind != EnvelopeKind::response) return;
  if (Waiter* waiter = requests_.answered(seen.id)) {
    waiter->outcome = Reply{ring_->payload(event), event};
    ring_->wake_readers();  // first: what was said before the answer should be seen before it, also on another connection
    waiter->wake.notify();
  }
}

void Instance::on_bad_line(std::string_view line, std::string_view why) {
  std::string message = R"({"jsonrpc":"2.0","method":"_adapter/invalid_stdout","params":{"error":)";
  append_json_string(message, why);
  message += ",\"raw\":";
  append_json_string(message, repair_utf8(line, raw_in_messages));
  message += "}}";
  say(message);
}

Task<> Instance::read_stderr(std::shared_ptr<Instance> self) {
  while (!self->finished_) {
    std::string_view bytes;
    const Got got = read_pipe(self->child_->err, bytes);
    if (got == Got::end) break;
    if (got == Got::bytes) self->stderr_.append(bytes);
    self->child_->err.arm_read(self->stderr_wake_);
    co_await self->stderr_wake_.wait();
  }
}

void Instance::on_last_line(std::string_view line) {
  const std::size_t limit = context_.settings.max_line_bytes;
  if (line.size() <= limit) return on_line(line);
  on_bad_line(line, fmt::format("the line is longer than {} bytes", limit));
}

// What lies in the pipes when the agent is dead: all of it, without waiting.
void Instance::read_leftovers() {
  for (AsyncFd* pipe : {&child_->out, &child_->err})
    if (pipe->is_open()) pipe->something_to_read();
  std::string_view bytes;
  std::size_t left = pipe_size(child_->out);  // a descendant that lives on may write for ever
  while (left > 0 && read_pipe(child_->out, bytes) == Got::bytes) {
    left -= std::min(left, bytes.size());
    lines_.feed(bytes);
  }
  while (const auto line = lines_.front()) {
    on_last_line(*line);
    lines_.pop();
  }
  if (const std::string_view rest = lines_.rest(); !rest.empty()) on_last_line(rest);
  lines_.clear();
  left = pipe_size(child_->err);
  while (left > 0 && read_pipe(child_->err, bytes) == Got::bytes) {
    left -= std::min(left, bytes.size());
    stderr_.append(bytes);
  }
}

}  // namespace sa
