#include "agents/installer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "agents/install_work.h"
#include "base/log.h"

namespace sa {
namespace {

// What keeps its own code: everything else that goes wrong is a failed install.
bool speaks_for_itself(ErrorCode code) {
  return code == ErrorCode::no_space || code == ErrorCode::overloaded || code == ErrorCode::conflict;
}

Error as_install_error(const std::string& agent, Error error) {
  if (speaks_for_itself(error.code)) return error;
  if (!error.extra("agent").empty()) return error;
  Error told = install_error(agent, error.detail);
  for (ErrorExtra& extra : error.extras) {
    if (extra.name == "command")
      told.extras.push_back(std::move(extra));
    else if (extra.name == "stderr")
      *std::ranges::find(told.extras, "stderr", &ErrorExtra::name) = std::move(extra);
  }
  return told;
}

Error put_by_hand(const Store& store, const std::string& agent) {
  return {ErrorCode::conflict,
          fmt::format("{} was put there by hand and is not replaced. Remove it to let '{}' be installed.",
                      store.launcher(agent), agent),
          {}};
}

Error called_off(const std::string& agent) {
  return {ErrorCode::conflict, fmt::format("The install of '{}' was called off. Install it again if it is wanted.", agent), {}};
}

std::optional<Result<InstallOutcome>> decided_by_disk(const Store& store, const std::string& agent,
                                                      const InstallWishes& wishes) {
  if (store.holds_something_else(agent)) return fail(put_by_hand(store, agent));
  if (auto outcome = installed_already(store, agent, wishes)) return std::move(*outcome);
  return std::nullopt;
}

}  // namespace

Installer::Installer(InstallContext context) : context_(std::move(context)) { context_.stop = &stop_; }

std::shared_ptr<InstallJob> Installer::install(AgentPtr agent, InstallWishes wishes) {
  wishes = applied_to(agent->manifest, std::move(wishes));
  for (const auto& job : jobs_)
    if (job->manifest().id == agent->manifest.id && job->wishes() == wishes && !job->stopped()) return job;
  auto job = std::make_shared<InstallJob>(agent, wishes);
  if (stop_) {
    job->conclude(fail_stopped());
  } else {
    jobs_.push_back(job);
    spawn(run(job));
  }
  return job;
}

// What is there decides at once, without the lock.
Task<Result<InstallOutcome>> Installer::outcome_of(std::shared_ptr<InstallJob> job) {
  const auto there = co_await context_.pool.run([&] { return decided_by_disk(store(), job->manifest().id, job->wishes()); });
  if (there) co_return *there;
  InstallWork work(context_, job);
  auto outcome = co_await work.from_plan();
  co_return outcome;
}

Task<> Installer::run(std::shared_ptr<InstallJob> job) {
  ++running_;
  const std::string& id = job->manifest().id;
  auto outcome = co_await outcome_of(job);
  if (outcome && !outcome->already_installed) {
    log::info("agent {} installed, version {}", id, outcome->record.artifacts.front().version.value_or("unknown"));
  } else if (!outcome) {
    const bool only_this = job->stopped() && !stop_;
    Error error = only_this ? called_off(id) : as_install_error(id, std::move(outcome).error());
    if (error_row(error.code).status >= 500) log::warn("{}", error.detail);  // here, once, however many wait
    error.logged = true;
    outcome = fail(std::move(error));
  }
  std::erase(jobs_, job);
  job->conclude(std::move(outcome));
  ended();
}

void Installer::ended() {
  --running_;
  if (listener_) listener_->notify();
}

void Installer::stop() {
  stop_ = true;
  for (const auto& job : jobs_) job->call_off();
}

Task<Result<InstallOutcome>> Installer::install_filled(AgentPtr agent, std::string version, FillTree fill) {
  const std::string& id = agent->manifest.id;
  const bool by_hand = co_await context_.pool.run([&] { return store().holds_something_else(id); });
  if (by_hand) co_return fail(put_by_hand(store(), id));
  const auto job = std::make_shared<InstallJob>(agent, InstallWishes{.reinstall = true});
  ++running_;
  jobs_.push_back(job);
  InstallWork work(context_, job);
  auto outcome = co_await work.from_fill(std::move(version), std::move(fill));
  std::erase(jobs_, job);
  ended();
  if (!outcome) co_return fail(as_install_error(id, std::move(outcome).error()));
  co_return outcome;
}

Task<Result<void>> Installer::remove(AgentPtr agent) {
  const std::string& id = agent->manifest.id;
  for (const auto& job : jobs_)
    if (job->manifest().id == id) job->call_off();
  ++running_;
  const bool ever_installed = co_await context_.pool.run([&] { return ::access(store().folder(id).c_str(), F_OK) == 0; });
  Result<void> outcome;
  if (ever_installed) {
    auto locked = co_await lock_installs(context_, id, nullptr);
    outcome =
        locked ? co_await context_.slow_pool.run([&] { return remove_install(store(), id, stop_); }) : fail(locked.error());
  }
  ended();
  co_return outcome;
}

}  // namespace sa
