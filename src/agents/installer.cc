#include "agents/installer.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/json.hpp>

#include "agents/install_fill.h"
#include "agents/launch_script.h"
#include "agents/probe.h"
#include "agents/start.h"
#include "base/json_pretty.h"
#include "base/log.h"
#include "files/file_error.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr Millis lock_pause{50};
constexpr Millis verify_time{60'000};

// What keeps its own code: everything else that goes wrong is a failed install.
bool speaks_for_itself(ErrorCode code) {
  return code == ErrorCode::no_space || code == ErrorCode::overloaded || code == ErrorCode::conflict;
}

Error as_install_error(const std::string& agent, Error error) {
  if (speaks_for_itself(error.code)) return error;
  if (!error.extra("agent").empty()) return error;
  Error told = install_error(agent, error.detail);
  for (ErrorExtra& extra : error.extras)
    if (extra.name == "command" || extra.name == "stderr") told.extras.push_back(std::move(extra));
  return told;
}

Error put_by_hand(const Store& store, const std::string& agent) {
  return {ErrorCode::conflict,
          fmt::format("{} was put there by hand and is not replaced. Remove it to let '{}' be installed.",
                      store.launcher(agent), agent),
          {}};
}

// What is installed and good enough for the wishes.
std::optional<InstallOutcome> already(const Store& store, const std::string& agent, const InstallWishes& wishes) {
  const auto there = store.look(agent);
  if (there.found != Store::Found::installed) return std::nullopt;
  auto record = store.record(agent, there.tree);
  if (!record || !satisfies(*record, wishes)) return std::nullopt;
  return InstallOutcome{true, std::move(*record)};
}

// The verification's arguments are known for the pinned package.
bool has_own_verification(const Manifest& manifest, const Artifact& process) {
  const bool pinned = manifest.process && manifest.process->npm;
  return !manifest.verify.empty() && (!pinned || process.package == manifest.process->npm->package);
}

Task<> pause(Loop& loop, Millis duration) {
  Signal over(loop);
  const TimeLimit limit(loop, duration, over);
  while (!limit.over()) co_await over.wait();
}

LaunchScript script_of(const Manifest& manifest, const InstallTree& tree, const LaunchRecord& launch) {
  LaunchScript script{manifest.name, tree.at(launch.program), launch.args, launch.env, {}};
  for (const std::string& folder : launch.path) script.path.push_back(tree.at(folder));
  return script;
}

// A tool that somebody put into our own folder is found there.
bool uses_our_folder(const Store& store, const InstallRecord& record) {
  return std::ranges::any_of(record.artifacts, [&](const Artifact& artifact) {
    return artifact.kind == ArtifactKind::native_agent && artifact.path.starts_with(store.native_directory() + "/");
  });
}

Result<void> write_scripts(const Store& store, const Manifest& manifest, const InstallTree& tree, const InstallRecord& record) {
  LaunchScript launch = script_of(manifest, tree, record.launch);
  if (!record.native && uses_our_folder(store, record)) launch.path.push_back(store.native_directory());
  TRY_VOID(tree.write(launch_name, to_text(launch), 0755));
  if (!record.native) return {};
  return tree.write(native_name, to_text(script_of(manifest, tree, *record.native)), 0755);
}

Task<Result<InstallRecord>> run_fill(WorkerPool& pool, Installer::FillTree fill, const InstallTree& tree) {
  co_return co_await pool.run([&] { return fill(tree); });
}

}  // namespace

std::shared_ptr<InstallJob> Installer::install(AgentPtr agent, InstallWishes wishes) {
  wishes = applied_to(agent->manifest, std::move(wishes));
  for (const auto& job : jobs_)
    if (job->manifest().id == agent->manifest.id && job->wishes() == wishes) return job;
  auto job = std::make_shared<InstallJob>(agent, wishes);
  const std::string& id = agent->manifest.id;
  if (store().holds_something_else(id)) {
    job->conclude(fail(put_by_hand(store(), id)));
  } else if (auto outcome = already(store(), id, wishes)) {
    job->conclude(std::move(*outcome));
  } else {
    jobs_.push_back(job);
    spawn(work(job));
  }
  return job;
}

Task<> Installer::work(std::shared_ptr<InstallJob> job) {
  ++running_;
  const std::string& id = job->manifest().id;
  auto outcome = co_await carry_out(job);
  if (outcome && !outcome->already_installed) {
    log::info("agent {} installed, version {}", id, outcome->record.artifacts.front().version.value_or("unknown"));
  } else if (!outcome) {
    outcome = fail(as_install_error(id, std::move(outcome).error()));
    if (!job->watched()) log::warn("{}", outcome.error().detail);  // else who waits says so
  }
  std::erase(jobs_, job);
  job->conclude(std::move(outcome));
  ended();
}

void Installer::ended() {
  --running_;
  if (listener_) listener_->notify();
}

Task<Result<DirectoryLock>> Installer::lock(std::string agent, InstallJob* job) {
  const std::string folder = store().folder(agent);
  CO_TRY_VOID(co_await context_.pool.run([&] { return make_directories(folder); }));
  const UniqueFd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) co_return fail_file(errno, folder);
  while (!context_.stop) {
    auto taken = DirectoryLock::take(directory.get(), folder, {.limit = Millis(0)}, context_.stop);
    if (taken || taken.error().code != ErrorCode::overloaded) co_return taken;
    if (job && job->progress().phase != "waiting") job->report({"waiting"});
    co_await pause(context_.loop, lock_pause);
  }
  co_return fail_stopped();
}

Task<Result<InstallPlan>> Installer::plan(std::shared_ptr<InstallJob> job) {
  const Manifest& manifest = job->manifest();
  RegistryFinding finding;
  if (!manifest.registry.empty()) {
    job->report({"registry"});
    const auto document = co_await context_.slow_pool.run([&] { return context_.registry.get(context_.stop); });
    if (context_.stop) co_return fail_stopped();
    finding.reachable = document.has_value();
    if (document) {
      CO_TRY(finding.entry, find_in_registry(document->json, manifest.registry));
      finding.copy_of = document->copy_of;
    } else {
      log::warn("the agent registry cannot be used: {}", document.error().detail);
    }
  }
  co_return plan_install(manifest, finding, job->wishes(), this_platform());
}

Task<Result<InstallOutcome>> Installer::carry_out(std::shared_ptr<InstallJob> job) {
  const std::string& id = job->manifest().id;
  CO_TRY(const DirectoryLock locked, co_await lock(id, job.get()));
  if (auto outcome = already(store(), id, job->wishes())) co_return std::move(*outcome);  // by another process meanwhile
  CO_TRY(const InstallPlan decided, co_await plan(job));
  Fill fill = [this, job, decided](const InstallTree& tree) { return fill_tree(context_, job, tree, decided); };
  auto outcome = co_await make(job, decided.process.version, std::move(fill));
  co_return outcome;
}

// A tree that does not become an install is removed.
Task<Result<InstallOutcome>> Installer::make(std::shared_ptr<InstallJob> job, std::string version, Fill fill) {
  const std::string& id = job->manifest().id;
  CO_TRY(const InstallTree tree,
         co_await context_.slow_pool.run([&] { return InstallTree::begin(store(), id, version, context_.stop); }));
  auto record = co_await fill(tree);
  Result<InstallOutcome> outcome = record ? co_await finish(job, tree, std::move(*record)) : fail(record.error());
  if (!outcome) co_await context_.slow_pool.run([&] { return tree.drop(), true; });
  co_return outcome;
}

Task<Result<InstallOutcome>> Installer::finish(std::shared_ptr<InstallJob> job, const InstallTree& tree, InstallRecord record) {
  CO_TRY_VOID(co_await context_.pool.run([&] { return write_scripts(store(), job->manifest(), tree, record); }));
  job->report({"verifying"});
  CO_TRY_VOID(co_await verify(*job, tree, record));
  record.verified = true;
  record.verified_at_ms = record.installed_at_ms = unix_millis();
  job->report({"switching"});
  CO_TRY_VOID(co_await context_.pool.run([&]() -> Result<void> {
    TRY_VOID(tree.write(record_name, pretty_json(boost::json::parse(to_json(record))), 0644));
    return tree.switch_to(record.native_program.value_or(""));
  }));
  co_return InstallOutcome{false, std::move(record)};
}

Task<Result<void>> Installer::verify(const InstallJob& job, const InstallTree& tree, const InstallRecord& record) {
  const Manifest& manifest = job.manifest();
  if (record.native && manifest.native && !manifest.native->verify.empty()) {
    ChildSpec native{.argv = {tree.at(native_name)}, .env = context_.environment};
    native.argv.insert(native.argv.end(), manifest.native->verify.begin(), manifest.native->verify.end());
    CO_TRY_VOID(co_await run_step(context_, "the verification of its tool", std::move(native), verify_time));
  }
  ChildSpec process{.argv = {tree.at(launch_name)}, .env = environment_of(manifest, context_.environment), .cwd = tree.path()};
  if (has_own_verification(manifest, record.artifacts.front())) {
    process.argv.insert(process.argv.end(), manifest.verify.begin(), manifest.verify.end());
    CO_TRY_VOID(co_await run_step(context_, "its verification", std::move(process), verify_time));
    co_return Result<void>();
  }
  const ProbeLimits limits{.time = verify_time, .only_initialize = true, .stop = &context_.stop};
  CO_TRY(const auto spoken, co_await probe_agent(context_.loop, context_.processes, context_.pool, std::move(process), limits));
  if (spoken.error) co_return fail(ErrorCode::install_failed, "its verification failed: " + *spoken.error);
  co_return Result<void>();
}

Task<Result<InstallOutcome>> Installer::install_filled(AgentPtr agent, std::string version, FillTree fill) {
  ++running_;
  const std::string& id = agent->manifest.id;
  const auto job = std::make_shared<InstallJob>(agent, InstallWishes{.reinstall = true});
  Result<InstallOutcome> outcome = fail(put_by_hand(store(), id));
  if (!store().holds_something_else(id)) {
    auto locked = co_await lock(id, job.get());
    Fill on_worker = [this, fill](const InstallTree& tree) { return run_fill(context_.slow_pool, fill, tree); };
    outcome = locked ? co_await make(job, std::move(version), std::move(on_worker)) : fail(locked.error());
  }
  ended();
  co_return outcome ? std::move(outcome) : fail(as_install_error(id, std::move(outcome).error()));
}

Task<Result<void>> Installer::remove(AgentPtr agent) {
  const std::string& id = agent->manifest.id;
  if (std::ranges::any_of(jobs_, [&](const auto& job) { return job->manifest().id == id; }))
    co_return fail(ErrorCode::conflict, fmt::format("'{}' is being installed just now. Remove it when that is over.", id));
  ++running_;
  const bool anything = store().look(id).found == Store::Found::installed || ::access(store().folder(id).c_str(), F_OK) == 0;
  Result<void> outcome;
  if (anything) {
    auto locked = co_await lock(id, nullptr);
    outcome = locked ? co_await context_.slow_pool.run([&] { return remove_install(store(), id, context_.stop); })
                     : fail(locked.error());
  }
  ended();
  co_return outcome;
}

}  // namespace sa
