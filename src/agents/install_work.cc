#include "agents/install_work.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/json.hpp>

#include "agents/install_fill.h"
#include "agents/launch_script.h"
#include "agents/probe.h"
#include "agents/start.h"
#include "base/json_pretty.h"
#include "base/log.h"
#include "base/utf8.h"
#include "files/file_error.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr Millis lock_pause{50};
constexpr Millis verify_time{60'000};

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

// Blocking: the document is large, and so is the work of reading it.
Result<RegistryFinding> ask_registry(const InstallContext& context, const std::vector<std::string>& slugs) {
  const auto document = context.registry.get(*context.stop);
  if (!document) {
    log::warn("the agent registry cannot be used: {}", document.error().detail);
    return RegistryFinding{.entry = {}, .reachable = false, .trouble = document.error().detail};
  }
  TRY(auto entry, find_in_registry(document->json, slugs));
  return RegistryFinding{.entry = std::move(entry), .reachable = true, .copy_of = document->copy_of};
}

Task<Result<InstallRecord>> run_fill(WorkerPool& pool, FillTree fill, const InstallTree& tree) {
  co_return co_await pool.run([&] { return fill(tree); });
}

Result<UniqueFd> open_new_or_old(const std::string& folder) {
  TRY_VOID(make_directories(folder));
  UniqueFd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return fail_file(errno, folder);
  return directory;
}

}  // namespace

std::optional<InstallOutcome> installed_already(const Store& store, const std::string& agent, const InstallWishes& wishes) {
  const auto there = store.look(agent);
  if (there.found != Store::Found::installed) return std::nullopt;
  auto record = store.record(agent, there.tree);
  if (!record || !satisfies(*record, wishes)) return std::nullopt;
  return InstallOutcome{true, std::move(*record)};
}

Task<Result<DirectoryLock>> lock_installs(InstallContext& context, std::string agent, InstallJob* job) {
  const std::string folder = context.store.folder(agent);
  CO_TRY(const UniqueFd directory, co_await context.pool.run([&] { return open_new_or_old(folder); }));
  const auto take = [&] { return DirectoryLock::take(directory.get(), folder, {.limit = Millis(0)}, *context.stop); };
  while (!*context.stop) {
    auto taken = co_await context.pool.run(take);
    if (taken || taken.error().code != ErrorCode::overloaded) co_return taken;
    if (job && job->progress().phase != "waiting") job->report({"waiting"});
    co_await pause(context.loop, lock_pause);
  }
  co_return fail_stopped();
}

InstallWork::InstallWork(const InstallContext& context, std::shared_ptr<InstallJob> job)
    : context_(context), job_(std::move(job)) {
  context_.stop = &job_->stopped();
}

Task<Result<InstallOutcome>> InstallWork::from_plan() {
  const std::string& id = job_->manifest().id;
  CO_TRY(const DirectoryLock locked, co_await lock_installs(context_, id, job_.get()));
  auto there = co_await context_.pool.run([&] { return installed_already(context_.store, id, job_->wishes()); });
  if (there) co_return std::move(*there);  // by another process meanwhile
  CO_TRY(const InstallPlan decided, co_await plan());
  Fill fill = [this, decided](const InstallTree& tree) { return fill_tree(context_, job_, tree, decided); };
  auto outcome = co_await make(decided.process.version, std::move(fill));
  co_return outcome;
}

Task<Result<InstallOutcome>> InstallWork::from_fill(std::string version, FillTree fill) {
  CO_TRY(const DirectoryLock locked, co_await lock_installs(context_, job_->manifest().id, job_.get()));
  FillTree whole = [this, fill](const InstallTree& tree) -> Result<InstallRecord> {
    TRY(InstallRecord record, fill(tree));
    TRY_VOID(find_native_here(context_, job_->manifest(), record));
    return record;
  };
  Fill on_worker = [this, whole](const InstallTree& tree) { return run_fill(context_.slow_pool, whole, tree); };
  auto outcome = co_await make(std::move(version), std::move(on_worker));
  co_return outcome;
}

Task<Result<InstallPlan>> InstallWork::plan() {
  const Manifest& manifest = job_->manifest();
  RegistryFinding finding;
  if (!manifest.registry.empty()) {
    job_->report({"registry"});
    auto asked = co_await context_.slow_pool.run([&] { return ask_registry(context_, manifest.registry); });
    if (*context_.stop) co_return fail_stopped();
    CO_TRY(finding, std::move(asked));
  }
  co_return plan_install(manifest, finding, job_->wishes(), this_platform());
}

// A tree that does not become an install is removed.
Task<Result<InstallOutcome>> InstallWork::make(std::string version, Fill fill) {
  const std::string& id = job_->manifest().id;
  CO_TRY(const InstallTree tree,
         co_await context_.slow_pool.run([&] { return InstallTree::begin(context_.store, id, version, *context_.stop); }));
  auto record = co_await fill(tree);
  Result<InstallOutcome> outcome = record ? co_await finish(tree, std::move(*record)) : fail(record.error());
  if (!outcome) co_await context_.slow_pool.run([&] { return tree.drop(), true; });
  co_return outcome;
}

Task<Result<InstallOutcome>> InstallWork::finish(const InstallTree& tree, InstallRecord record) {
  CO_TRY_VOID(co_await context_.pool.run([&] { return write_scripts(context_.store, job_->manifest(), tree, record); }));
  job_->report({"verifying"});
  CO_TRY_VOID(co_await verify(tree, record));
  record.verified = true;
  record.verified_at_ms = record.installed_at_ms = unix_millis();
  if (*context_.stop) co_return fail_stopped();
  job_->report({"switching"});
  CO_TRY_VOID(co_await context_.pool.run([&]() -> Result<void> {
    TRY_VOID(tree.write(record_name, pretty_json(boost::json::parse(to_json(record))), 0644));
    return tree.switch_to(record.native_program.value_or(""));
  }));
  co_return InstallOutcome{false, std::move(record)};
}

Task<Result<void>> InstallWork::verify(const InstallTree& tree, const InstallRecord& record) {
  const Manifest& manifest = job_->manifest();
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
  const ProbeLimits limits{.time = verify_time, .only_initialize = true, .stop = context_.stop};
  const std::string command = command_of(process);
  CO_TRY(const auto spoken, co_await probe_agent(context_.loop, context_.processes, context_.pool, std::move(process), limits));
  if (spoken.error)
    co_return fail(Error{ErrorCode::install_failed, "its verification failed: " + *spoken.error, {}}
                       .with_text("command", command)
                       .with_text("stderr", repair_utf8(spoken.stderr_tail, spoken.stderr_tail.size())));
  co_return Result<void>();
}

}  // namespace sa
