#include "acp/instance.h"

#include <fmt/format.h>

#include "base/random_hex.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr Millis exit_after_broken_pipe{250};
constexpr std::size_t id_bytes = 12;

}  // namespace

std::string new_instance_id() { return random_hex(id_bytes); }

InstanceContext::InstanceContext(Loop& the_loop, const InstanceLimits& the_settings)
    : loop(the_loop),
      settings(the_settings),
      budget(the_settings.total_ring_bytes),
      clock(the_loop),
      request_deadlines(the_loop, the_settings.request_timeout),
      exited_ring_deadlines(the_loop, the_settings.exited_ring) {}

Instance::Instance(InstanceContext& context, std::string agent, std::string id, std::shared_ptr<Child> child)
    : context_(context),
      agent_(std::move(agent)),
      id_(std::move(id)),
      child_(std::move(child)),
      ring_(std::make_shared<EventRing>(context.settings.ring, context.budget)),
      outbox_(context.loop, context.settings.outbox_bytes),
      wake_(context.loop),
      stdout_wake_(context.loop),
      stderr_wake_(context.loop),
      timer_(context.loop),
      ring_deadline_(wake_),
      created_at_(unix_millis()),
      last_activity_(created_at_) {}

void Instance::start() {
  outbox_.open(std::move(child_->in));
  spawn(live(shared_from_this()));
  spawn(read_stdout(shared_from_this()));
  spawn(read_stderr(shared_from_this()));
  spawn([](std::shared_ptr<Instance> self) -> Task<> { co_await self->outbox_.run(self->wake_); }(shared_from_this()));
}

Result<void> Instance::named(Result<void> result) const {
  if (!result && result.error().code == ErrorCode::agent_io_failed)
    return fail(std::move(result.error()).with_text("agent", agent_));
  return result;
}

Result<void> Instance::check_open(const Envelope& envelope) const {
  if (finished_ || closing_) return fail(exit_error());
  if (end_reason_) return fail(stopped_error());
  if (outbox_.broken()) return {};  // deliver() says what that means
  return outbox_.check(envelope.bytes.size());
}

// Writes the message. When the pipe is broken the agent is most likely dying: that is the better answer, if it comes at once.
Task<Result<void>> Instance::deliver(Envelope envelope) {
  last_activity_ = unix_millis();
  ring_->append_client(envelope.bytes);
  auto pushed = named(outbox_.push(std::move(envelope.bytes)));
  if (pushed) co_return pushed;
  ring_->withdraw_client();
  Signal changed(context_.loop);
  watchers_.push_back(&changed);
  const TimeLimit limit(context_.loop, exit_after_broken_pipe, changed);
  while (!finished_ && !limit.over()) co_await changed.wait();
  std::erase(watchers_, &changed);
  co_return finished_ ? fail(exit_error()) : std::move(pushed);
}

Task<Result<void>> Instance::send(Envelope envelope) {
  const auto self = shared_from_this();
  if (auto open = check_open(envelope); !open) co_return open;
  if (envelope.kind == EnvelopeKind::response && !requests_.client_answers(envelope.id))
    co_return Result<void>{};  // the first answer won
  co_return co_await deliver(std::move(envelope));
}

Task<Result<void>> Instance::request_async(Envelope envelope) {
  const auto self = shared_from_this();
  if (auto open = check_open(envelope); !open) co_return open;
  const std::string id = envelope.id;
  if (auto opened = requests_.open(id, nullptr); !opened) co_return opened;
  auto sent = co_await deliver(std::move(envelope));
  if (!sent) requests_.withdraw(id);
  co_return sent;
}

Task<Result<std::optional<Reply>>> Instance::request(Envelope envelope, ClientGone client_gone) {
  const auto self = shared_from_this();
  if (auto open = check_open(envelope); !open) co_return std::unexpected(open.error());
  const std::string id = envelope.id;
  Waiter waiter(context_.loop);
  if (auto opened = requests_.open(id, &waiter); !opened) co_return std::unexpected(opened.error());
  if (auto sent = co_await deliver(std::move(envelope)); !sent) {
    requests_.withdraw(id);
    co_return std::unexpected(sent.error());
  }
  Deadlines::Entry deadline(waiter.wake);
  context_.request_deadlines.arm(deadline);
  while (!waiter.outcome) {
    if (deadline.expired()) {
      requests_.abandon(id);
      co_return fail(ErrorCode::timeout,
                     "The agent did not answer within the request timeout. Its answer will still appear on the event stream.");
    }
    if (client_gone(waiter.wake)) {
      requests_.abandon(id);
      co_return std::nullopt;
    }
    co_await waiter.wake.wait();
  }
  if (!*waiter.outcome) co_return std::unexpected(waiter.outcome->error());
  co_return std::move(**waiter.outcome);
}

std::unique_ptr<EventReader> Instance::read(ReaderStart start) {
  return std::make_unique<EventReader>(ring_, start, context_.clock, context_.settings.reader_stall);
}

Error Instance::exit_error() const {
  const auto& exit = child_->exit();
  std::string detail = end_reason_ ? end_reason_->detail
                       : closing_
                           ? closing_reason_
                           : fmt::format("The agent process {}. DELETE the instance and POST with ?agent= to start a new one.",
                                         exit_text(child_->exit()));
  Error error{ErrorCode::agent_process_exited, std::move(detail), {}};
  error = std::move(error).with_text("agent", agent_);
  if (exit && exit->signal) {
    error = std::move(error).with_text("signal", signal_name(exit->signal));
  } else if (exit) {
    error = std::move(error).with_number("exitCode", exit->code);
  }
  return std::move(error).with_text("stderr", stderr_.last_lines());
}

Error Instance::stopped_error() const {
  return Error(*end_reason_).with_text("agent", agent_).with_text("stderr", stderr_.last_lines());
}

}  // namespace sa
