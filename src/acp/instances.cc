#include "acp/instances.h"

#include <fmt/format.h>
#include <malloc.h>

#include "base/log.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr Millis longest_cancel{400};  // for what was started in vain to be gone
constexpr Millis memory_rest{1'000};   // that an ended instance had: the next one may want it

Error deleted_while_starting() {
  return {
      ErrorCode::conflict, "The instance was deleted while it was being started. POST with ?agent= to start a new one.", {}};
}

Error shutting_down() { return {ErrorCode::overloaded, "The server is shutting down.", {}}; }

Error not_started(const std::string& program, int error_number) {
  const std::string why = error_number ? errno_text(error_number) : "its supervisor was killed";
  return {
      ErrorCode::agent_spawn_failed,
      fmt::format("The agent's program '{}' could not be started: {}. Check that it exists and is executable.", program, why),
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

Task<Result<std::shared_ptr<Instance>>> Instances::find_or_start(std::string server_id, std::optional<std::string> agent) {
  const auto found = slots_.find(server_id);
  if (agent) {
    if (found == slots_.end() || found->second->agent != *agent) {
      CO_TRY(agent, agents_.resolve(*agent));
    }
    if (found != slots_.end() && found->second->agent != *agent)
      co_return fail(ErrorCode::conflict,
                     fmt::format("This id runs the agent '{}'. Use another id for '{}', or DELETE this one first.",
                                 found->second->agent, *agent));
  }
  if (found == slots_.end()) {
    if (!agent)
      co_return fail(Error{
          ErrorCode::invalid_request,
          "There is no instance with this id yet: name its agent with ?agent=; GET /v1/agents lists them.",
          {}}.with_text("field", "agent"));
    if (closing_) co_return fail(shutting_down());
    if (slots_.size() >= context_.settings.max_instances)
      co_return fail(ErrorCode::overloaded,
                     fmt::format("{} instances exist already. DELETE some, or raise --max-instances.", slots_.size()));
    auto slot = std::make_shared<Slot>();
    slot->agent = *agent;
    slot->instance_id = new_instance_id();
    slot->created_at = unix_millis();
    slots_.emplace(server_id, slot);
    co_return co_await start(std::move(server_id), std::move(slot));
  }
  const std::shared_ptr<Slot> slot = found->second;
  co_await settle(slot);
  if (slot->failure) co_return fail(*slot->failure);
  co_return slot->instance;
}

Task<Result<std::shared_ptr<Instance>>> Instances::start(std::string server_id, std::shared_ptr<Slot> slot) {
  co_await prepare(*slot);
  if (slot->failure) erase(server_id, slot);
  slot->starting = false;
  conclude(*slot);
  if (slot->failure) co_return fail(*slot->failure);
  log::info("agent {} started for '{}', pid {}", slot->agent, server_id, slot->instance->child().pid());
  co_return slot->instance;
}

// Deleted meanwhile, it does not wait: what is being got ready is shared, and goes on by itself.
Task<> Instances::prepare(Slot& slot) {
  Preparation& preparation = *slot.preparation;
  Signal changed(context_.loop);
  preparation.changed = &changed;
  slot.waiting.push_back(&changed);
  agents_.prepare(slot.agent, slot.preparation);
  while (!slot.failure && !preparation.outcome) co_await changed.wait();
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

// Waits until it is known what became of a start.
Task<> Instances::settle(std::shared_ptr<Slot> slot) {
  Signal known(context_.loop);
  slot->waiting.push_back(&known);
  while (!slot->settled()) co_await known.wait();
  std::erase(slot->waiting, &known);
}

void Instances::conclude(Slot& slot) {
  for (Signal* waiting : slot.waiting) waiting->notify();
}

// The slot may have been deleted and its id taken again meanwhile.
void Instances::erase(const std::string& server_id, const std::shared_ptr<Slot>& slot) {
  if (auto found = slots_.find(server_id); found != slots_.end() && found->second == slot) slots_.erase(found);
}

Task<Result<std::shared_ptr<Instance>>> Instances::find(std::string server_id) {
  const auto found = slots_.find(server_id);
  if (found == slots_.end()) co_return no_such_instance(server_id);
  const std::shared_ptr<Slot> slot = found->second;
  co_await settle(slot);
  if (slot->failure) co_return no_such_instance(server_id);
  co_return slot->instance;
}

Task<> Instances::close(std::string server_id) {
  const auto found = slots_.find(server_id);
  if (found == slots_.end()) co_return;
  const std::shared_ptr<Slot> slot = found->second;
  slots_.erase(found);
  ++closes_;
  if (slot->instance) {
    co_await slot->instance->close(closing_ ? "The server is shutting down."
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
  close_done_.notify();
  if (!give_back_.armed()) give_back_.arm_in(memory_rest, [] { ::malloc_trim(0); });
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
