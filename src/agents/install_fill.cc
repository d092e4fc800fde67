#include "agents/install_fill.h"

#include <fmt/format.h>

#include "agents/archive_install.h"
#include "agents/npm_install.h"
#include "agents/uv_install.h"

namespace sa {
namespace {

std::string below(const InstallTree& tree, const std::string& path) { return path.substr(tree.path().size() + 1); }

std::optional<std::string> known(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

std::string native_already_there(const InstallContext& context, const NativeSource& native) {
  return context.store.find_foreign_tool(native.program, variable_in(context.environment, "PATH"));
}

std::unexpected<Error> fail_without(const NativeSource& native) {
  return fail_install(fmt::format("it needs the program '{}', which is not on PATH. {}", native.program,
                                  native.how.empty() ? "Put it there" : native.how));
}

// Decides about the tool; returns the step that installs it, if one is needed. Looks at the disk.
Result<std::optional<NpmStep>> settle_native(const InstallContext& context, const InstallJob& job, const InstallPlan& plan,
                                             InstallRecord& record) {
  if (!job.manifest().native) return std::nullopt;
  if (job.manifest().native->pinned_only && plan.process.source == ArtifactSource::registry) return std::nullopt;
  const NativeSource& native = *job.manifest().native;
  const std::string there = job.wishes().agent_version.empty() ? native_already_there(context, native) : "";
  if (!there.empty()) {
    record.artifacts.push_back({.kind = ArtifactKind::native_agent, .path = there, .source = ArtifactSource::local_path});
    return std::nullopt;
  }
  if (!plan.native) return fail_without(native);
  return plan.native;
}

void take_native(const InstallContext& context, const InstallTree& tree, const NativeSource& native, const NpmStep& step,
                 const NpmProgram& program, InstallRecord& record) {
  record.native = LaunchRecord{.program = below(tree, program.program)};
  record.native_program = native.program;
  record.artifacts.push_back({.kind = ArtifactKind::native_agent,
                              .path = context.store.native(native.program),
                              .source = ArtifactSource::fallback,
                              .version = known(program.version),
                              .package = step.package,
                              .integrity = known(program.integrity)});
}

// npm and uv do not tell how far they are, but how much they have written can be seen.
void report_writing(InstallContext& context, const std::shared_ptr<InstallJob>& job, const char* phase) {
  job->report({phase});
  context.wrote = [job, phase](std::uint64_t bytes) {
    if (job->progress().phase == phase && bytes > job->progress().bytes.value_or(0)) job->report({phase, bytes});
  };
}

Task<Result<void>> fill_archive(InstallContext& context, std::shared_ptr<InstallJob> job, const InstallTree& tree,
                                ArchiveStep step, InstallRecord& record) {
  const auto report = [&loop = context.loop, job](InstallProgress progress) {
    loop.post([job, progress = std::move(progress)] { job->report(progress); });
  };
  CO_TRY(const auto archive,
         co_await context.slow_pool.run([&] { return install_archive(step, tree, context.limits, report, *context.stop); }));
  record.launch.program = below(tree, archive.program);
  record.artifacts.front().url = archive.url;
  record.artifacts.front().sha256 = archive.sha256;
  co_return Result<void>();
}

Task<Result<void>> fill_packages(InstallContext& context, std::shared_ptr<InstallJob> job, const InstallTree& tree,
                                 const NpmStep* process, const std::optional<NpmStep>& native, InstallRecord& record) {
  std::vector<NpmStep> steps;
  if (process) steps.push_back(*process);
  if (native) steps.push_back(*native);
  if (steps.empty()) co_return Result<void>();
  report_writing(context, job, "npm");
  CO_TRY(const NpmTree packages, co_await npm_install(context, tree, std::move(steps)));
  record.launch.path.push_back(below(tree, packages.bin));
  if (process) {
    const NpmProgram& program = packages.programs.front();
    Artifact& artifact = record.artifacts.front();
    record.launch.program = below(tree, program.program);
    artifact.package = process->package;
    artifact.integrity = known(program.integrity);
    if (!program.version.empty()) artifact.version = program.version;
  }
  if (native) {
    take_native(context, tree, *job->manifest().native, *native, packages.programs.back(), record);
    record.native->path = record.launch.path;
  }
  co_return Result<void>();
}

}  // namespace

Result<void> find_native_here(const InstallContext& context, const Manifest& manifest, InstallRecord& record) {
  for (Artifact& artifact : record.artifacts) {
    if (artifact.kind != ArtifactKind::native_agent || artifact.source != ArtifactSource::local_path || !manifest.native)
      continue;
    artifact.path = native_already_there(context, *manifest.native);
    if (artifact.path.empty()) return fail_without(*manifest.native);
  }
  return {};
}

Task<Result<InstallRecord>> fill_tree(InstallContext& context, std::shared_ptr<InstallJob> job, const InstallTree& tree,
                                      InstallPlan plan) {
  const ProcessPlan& process = plan.process;
  InstallRecord record{.agent = job->manifest().id, .registry = plan.registry};
  record.registry_copy_of = known(plan.registry_copy_of);
  record.artifacts.push_back({.kind = ArtifactKind::agent_process,
                              .path = context.store.launcher(record.agent),
                              .source = process.source,
                              .version = known(process.version)});
  record.launch.args = process.args;
  record.launch.env = process.env;
  CO_TRY(const auto native, co_await context.pool.run([&] { return settle_native(context, *job, plan, record); }));
  if (const auto* archive = std::get_if<ArchiveStep>(&process.step)) {
    CO_TRY_VOID(co_await fill_archive(context, job, tree, *archive, record));
  } else if (const auto* package = std::get_if<UvStep>(&process.step)) {
    report_writing(context, job, "uv");
    CO_TRY(const std::string program, co_await uv_install(context, tree, *package));
    record.launch.program = below(tree, program);
    record.artifacts.front().package = package->package;
  }
  const auto* npm = std::get_if<NpmStep>(&process.step);
  CO_TRY_VOID(co_await fill_packages(context, job, tree, npm, native, record));
  co_return record;
}

}  // namespace sa
