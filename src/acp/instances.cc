#include "acp/instances.h"

#include <fmt/format.h>
#include <malloc.h>

#include "base/log.h"
#include "base/utf8.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr Millis longest_cancel{400};  // for what was started in vain to be gone
constexpr Millis memory_rest{1'000};   // that an ended instance had: the next one may want it
constexpr std::size_t longest_shown_name = 64;

Error deleted_while_starting() {
  return {
      ErrorCode::conflict, "The instance was deleted while it was being started. POST with ?agent= to start a new one.", {}};
}

Error shutting_down() { return {ErrorCode::overloaded, "The server is shutting down. Try again when it is back.", {}}; }

Error not_started(const std::string& program, int error_number) {
  const std::string why = error_number ? errno_text(error_number) : "its supervisor was killed";
  return {
      ErrorCode::agent_spawn_failed,
      fmt::format("The agent's program '{}' could not be started: {}. Check that it exists and is executable.", program, why),
      {}};
}

// Once, however many wait. What the caller did wrong is no trouble of ours.
void log_failure(Error& failure, const std::string& agent, const std::string& server_id) {
  if (std::exchange(failure.logged, true) || error_row(failure.code).status < 500) return;
  log::warn("agent {} could not be started for '{}': {}", agent, server_id, failure.detail);
}

Error no_agent_named() {
  return Error{ErrorCode::invalid_request,
               "There is no instance with this id yet: name its agent with ?agent=; GET /v1/agents lists them.",
               {}}
      .with_text("field", "agent");
}

Error too_many(std::size_t count) {
  return {ErrorCode::overloaded, fmt::format("{} instances exist already. DELETE some, or raise --max-instances.", count), {}};
}

Error runs_another(const std::string& agent, const std::string& wanted) {
  return {ErrorCode::conflict,
          fmt::format("This id runs the agent '{}'. Use another id for '{}', or DELETE this one first.", agent, wanted),
          {}};
}

std::unexpected<Error> no_such_instance(const std::string& server_id) {
  return fail(Error{ErrorCode::not_found, "There is no instance with this id. POST to it with ?agent= to start one.", {}}
                  .with_text("resource", "server")
                  .with_text("id", server_id));
}

}  // namespace

Instances::Instances(Loop& loop, Processes& processes, const InstanceLimits& settings, AgentSource agents)
    : context_(loop, settings), processes_(processes), agents_(std::move(agents)), close_done_(loop), give_back_(loop) {}

Task<Result<std::shared_ptr<Instance>>> Instances::find_or_start(std::string server_id, std::optional<std::string> agent,
                                                                 Asker* asker) {
  constexpr auto is_clear = [](const Slot& slot) { return slot.named || slot.settled(); };
  std::string meant;  // the id of `agent`, where its name does not say it all
  std::shared_ptr<Slot> slot;
  for (;;) {  // others may come and go while we wait
    slot = slot_of(server_id);
    if (!slot) {
      if (closing_) co_return fail(shutting_down());
      if (!agent) co_return fail(no_agent_named());
      if (slots_.size() < context_.settings.max_instances) {
        slot = begin(server_id, *agent);
        break;
      }
      if (const auto unclear = unnamed_slot()) {  // it may be for an agent that there is not
        if (!co_await wait_until(is_clear, unclear, asker)) co_return nullptr;
        continue;
      }
      CO_TRY(meant, co_await agents_.resolve(*agent));  // what is wrong with the request is said first
      co_return fail(too_many(slots_.size()));
    }
    if (!agent || slot->goes_by(*agent) || (!meant.empty() && slot->agent == meant)) break;
    if (meant.empty()) {
      CO_TRY(meant, co_await agents_.resolve(*agent));
    } else if (slot->named || !co_await wait_until(is_clear, slot, asker)) {
      if (asker) asker->instance_id = slot->instance_id;
      co_return fail(runs_another(slot->agent, meant));
    } else if (slot->deleted) {
      break;
    }
  }
  if (!co_await settle(slot, asker)) co_return nullptr;
  if (slot->failure) co_return fail(*slot->failure);
  co_return slot->instance;
}

// From here on the id is taken: whoever reads, talks to or deletes it meets this start.
std::shared_ptr<Instances::Slot> Instances::begin(const std::string& server_id, const std::string& agent) {
  auto slot = std::make_shared<Slot>();
  slot->asked = agent;
  slot->agent = repair_utf8(agent, longest_shown_name);  // for lists
  slot->instance_id = new_instance_id();
  slot->created_at = unix_millis();
  slots_.emplace(server_id, slot);
  spawn(start(server_id, slot));
  return slot;
}

// Goes on when nobody waits for it any more.
Task<> Instances::start(std::string server_id, std::shared_ptr<Slot> slot) {
  co_await prepare(*slot);
  if (!slot->failure) {
    log::info("agent {} started for '{}', pid {}", slot->agent, server_id, slot->instance->child().pid());
  } else if (erase(server_id, slot)) {  // else it was deleted, which is no failure
    log_failure(*slot->failure, slot->agent, server_id);
  }
  slot->starting = false;
  conclude(*slot);
}

// Deleted meanwhile, it does not wait: what is being got ready is shared, and goes on by itself.
Task<> Instances::prepare(Slot& slot) {
  Preparation& preparation = *slot.preparation;
  Signal changed(context_.loop);
  preparation.changed = &changed;
  slot.waiting.push_back(&changed);
  agents_.prepare(slot.asked, slot.preparation);
  for (take_name(slot); !slot.failure && !preparation.outcome; take_name(slot)) co_await changed.wait();
  std::erase(slot.waiting, &changed);
  preparation.changed = nullptr;
  if (slot.failure) co_return;
  if (*preparation.outcome) {
    preparation.phase = "starting";
    co_await launch(slot, std::move(**preparation.outcome));
  } else {
    slot.failure = preparation.outcome->error();
  }
}

void Instances::take_name(Slot& slot) {
  if (slot.named || slot.preparation->agent.empty()) return;
  slot.agent = slot.preparation->agent;
  slot.named = true;
  conclude(slot);
}

// Leaves an instance or a failure in the slot. A failure that is there already while we wait means: deleted meanwhile.
Task<> Instances::launch(Slot& slot, ChildSpec spec) {
  const auto started = processes_.start(spec);
  if (!started) {
    slot.failure = Error(started.error()).with_text("agent", slot.agent);
    co_return;
  }
  Child& child = **started;
  Signal changed(context_.loop);
  child.set_listener(&changed);
  slot.waiting.push_back(&changed);
  while (!slot.failure && child.pid() < 0 && child.spawn_error() == 0 && !child.gone()) co_await changed.wait();
  if (slot.failure) {
    co_await call_off(child, changed);
  } else if (child.pid() < 0) {
    slot.failure = not_started(spec.argv.front(), child.spawn_error()).with_text("agent", slot.agent);
  }
  std::erase(slot.waiting, &changed);
  child.set_listener(nullptr);
  if (slot.failure) co_return;
  slot.instance = std::make_shared<Instance>(context_, slot.agent, slot.instance_id, *started);
  slot.instance->start();
  ++started_;
}

Task<> Instances::call_off(Child& child, Signal& changed) {
  child.stop(Millis(0));
  const TimeLimit limit(context_.loop, longest_cancel, changed);
  while (!child.gone() && !limit.over()) co_await changed.wait();
  child.abandon();
}

// Waits until it is known what became of a start. False when the asker went away first.
Task<bool> Instances::settle(std::shared_ptr<Slot> slot, const Asker* asker) {
  return wait_until([](const Slot& each) { return each.settled(); }, std::move(slot), asker);
}

Task<bool> Instances::wait_until(bool (*reached)(const Slot&), std::shared_ptr<Slot> slot, const Asker* asker) {
  if (reached(*slot)) co_return true;
  Signal own(context_.loop);
  Signal& known = asker ? asker->wake : own;
  slot->waiting.push_back(&known);
  while (!reached(*slot) && !(asker && asker->gone(known))) co_await known.wait();
  std::erase(slot->waiting, &known);
  co_return reached(*slot);
}

void Instances::send_when_ready(const std::string& server_id, Envelope envelope) {
  const std::shared_ptr<Slot> slot = slot_of(server_id);
  if (!slot) return;
  const std::size_t size = sizeof(Envelope) + envelope.bytes.capacity();
  if (slot->left_bytes + size > context_.settings.outbox_bytes)
    return log::warn("a message for '{}' was dropped: its client left, and as much as an outbox holds waits already",
                     server_id);
  slot->left_bytes += size;
  slot->left.push_back(std::move(envelope));
  if (slot->left.size() == 1) spawn(send_when_settled(slot));
}

// Nobody is there to be told what becomes of it.
Task<> Instances::send_when_settled(std::shared_ptr<Slot> slot) {
  co_await settle(slot, nullptr);
  const std::shared_ptr<Instance> instance = slot->instance;
  for (; instance && !slot->left.empty(); slot->left.pop_front()) {
    Envelope& envelope = slot->left.front();
    if (envelope.kind == EnvelopeKind::request) {
      co_await instance->request_async(std::move(envelope));
    } else {
      co_await instance->send(std::move(envelope));
    }
  }
}

void Instances::conclude(Slot& slot) {
  for (Signal* waiting : slot.waiting) waiting->notify();
}

// The slot may have been deleted and its id taken again meanwhile: false.
bool Instances::erase(const std::string& server_id, const std::shared_ptr<Slot>& slot) {
  const auto found = slots_.find(server_id);
  if (found == slots_.end() || found->second != slot) return false;
  slots_.erase(found);
  return true;
}

std::shared_ptr<Instances::Slot> Instances::slot_of(const std::string& server_id) const {
  const auto found = slots_.find(server_id);
  return found == slots_.end() ? nullptr : found->second;
}

std::shared_ptr<Instances::Slot> Instances::unnamed_slot() const {
  const auto found = std::ranges::find_if(slots_, [](const auto& slot) { return !slot.second->named; });
  return found == slots_.end() ? nullptr : found->second;
}

Task<Result<std::shared_ptr<Instance>>> Instances::find(std::string server_id, const Asker* asker) {
  const std::shared_ptr<Slot> slot = slot_of(server_id);
  if (!slot && closing_) co_return fail(shutting_down());  // it was there a moment ago, perhaps
  if (!slot) co_return no_such_instance(server_id);
  if (!co_await settle(slot, asker)) co_return nullptr;
  if (slot->failure) co_return closing_ ? fail(shutting_down()) : no_such_instance(server_id);
  co_return slot->instance;
}

Task<> Instances::close(std::string server_id) {
  const auto found = slots_.find(server_id);
  if (found == slots_.end()) co_return co_await until_ended(std::move(server_id));
  const std::shared_ptr<Slot> slot = found->second;
  slots_.erase(found);
  slot->deleted = true;
  ++closes_;
  const std::pair ending(server_id, ++closes_begun_);
  ending_.insert(ending);
  if (slot->instance) {
    co_await slot->instance->close(closing_ ? "The server is shutting down. Try again when it is back."
                                            : "The instance was deleted. POST with ?agent= to start a new one.");
  } else {
    slot->failure = closing_ ? shutting_down() : deleted_while_starting();
    Signal over(context_.loop);
    slot->waiting.push_back(&over);
    conclude(*slot);
    while (slot->starting) co_await over.wait();
    std::erase(slot->waiting, &over);
  }
  --closes_;
  ending_.erase(ending);
  for (Signal* watcher : end_watchers_) watcher->notify();
  close_done_.notify();
  if (!give_back_.armed()) give_back_.arm_in(memory_rest, [] { ::malloc_trim(0); });
}

// Who asks again for the end of what is ending is not told that it has ended before it has. Later ones of this id do not count.
Task<> Instances::until_ended(std::string server_id) {
  const std::uint64_t newest = closes_begun_;
  const auto is_ending = [&] {
    const auto oldest = ending_.lower_bound({server_id, 0});
    return oldest != ending_.end() && oldest->first == server_id && oldest->second <= newest;
  };
  Signal ended(context_.loop);
  end_watchers_.push_back(&ended);
  while (is_ending()) co_await ended.wait();
  std::erase(end_watchers_, &ended);
}

Task<> Instances::close_all() {
  closing_ = true;
  std::vector<std::string> ids;
  ids.reserve(slots_.size());
  for (const auto& [server_id, slot] : slots_) ids.push_back(server_id);
  for (std::string& server_id : ids) spawn(close(std::move(server_id)));
  while (closes_ > 0) co_await close_done_.wait();
}

bool Instances::any_alive() const {
  return std::ranges::any_of(slots_,
                             [](const auto& slot) { return !slot.second->instance || !slot.second->instance->exited(); });
}

std::vector<Instances::Row> Instances::list() const {
  std::vector<Row> rows;
  rows.reserve(slots_.size());
  for (const auto& [server_id, slot] : slots_)
    rows.push_back({server_id, slot->agent, slot->instance_id, slot->instance, slot->preparation->phase, slot->created_at});
  return rows;
}

}  // namespace sa
