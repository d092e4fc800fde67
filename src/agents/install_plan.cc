#include "agents/install_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"

namespace sa {
namespace {

struct PackageVersion {
  std::string package;
  std::string version;
};

// "@scope/name@1.2.3": the version follows the last @ that does not begin the name.
PackageVersion split_npm_package(const std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

bool is_npm_package(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' ||
           c == '~';
  };
  if (name.starts_with('@')) {
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos || slash < 2 || !std::ranges::all_of(name.substr(1, slash - 1), fits)) return false;
    name.remove_prefix(slash + 1);
  }
  return !name.empty() && !name.starts_with('.') && !name.starts_with('-') && std::ranges::all_of(name, fits);
}

// A uv requirement: name, optional extras, optional exact version.
bool is_uv_package(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-[],=@+!").contains(c);
  };
  return !text.empty() && !text.starts_with('-') && !text.starts_with('.') && std::ranges::all_of(text, fits);
}

std::map<std::string, std::string> harmless(const std::map<std::string, std::string>& env) {
  std::map<std::string, std::string> kept;
  for (const auto& [name, value] : env)
    if (is_variable_name(name) && !is_plumbing_variable(name) && !value.contains('\0')) kept.emplace(name, value);
  return kept;
}

NpmStep npm_step(const NpmSource& source) { return {source.package, source.version, source.bin, source.node, source.scripts}; }

// Which Node.js a package wants and whether its scripts must run is known by the manifest, for the package it names.
NpmStep npm_step(const Manifest& manifest, std::string package, std::string version, std::string bin) {
  NpmStep step{std::move(package), std::move(version), std::move(bin), "", false};
  if (manifest.process && manifest.process->npm) {
    const NpmSource& pinned = *manifest.process->npm;
    step.node = pinned.node;
    step.scripts = pinned.scripts && pinned.package == step.package;
    if (step.bin.empty() && pinned.package == step.package) step.bin = pinned.bin;
  }
  return step;
}

Result<ProcessPlan> from_archive(const RegistryEntry& entry, const RegistryArchive& archive) {
  if (archive.archive.empty() || archive.cmd.empty())
    return fail_install("the registry's entry for this platform lacks the archive's URL or its cmd");
  if (!archive.sha256.empty() && !is_sha256(archive.sha256))
    return fail_install("the registry's sha256 of its archive is not 64 hexadecimal digits");
  return ProcessPlan{ArchiveStep{archive.archive, archive.sha256, archive.cmd}, archive.args, harmless(archive.env),
                     entry.version, ArtifactSource::registry};
}

Result<ProcessPlan> from_npx(const Manifest& manifest, const RegistryEntry& entry, const RegistryPackage& npx,
                             const std::string& wanted) {
  const PackageVersion named = split_npm_package(npx.package);
  const std::string version = !wanted.empty() ? wanted : named.version.empty() ? entry.version : named.version;
  if (!is_npm_package(named.package) || !is_version(version))
    return fail_install(
        fmt::format("the registry names the npm package '{}', which is none with an exact version", npx.package));
  return ProcessPlan{npm_step(manifest, named.package, version, npx.cmd), npx.args, harmless(npx.env), version,
                     ArtifactSource::registry};
}

Result<ProcessPlan> from_uvx(const RegistryEntry& entry, const RegistryPackage& uvx) {
  if (!is_uv_package(uvx.package))
    return fail_install(fmt::format("the registry names the Python package '{}', which is none", uvx.package));
  return ProcessPlan{UvStep{uvx.package, uvx.cmd}, uvx.args, harmless(uvx.env), entry.version, ArtifactSource::registry};
}

std::optional<ProcessPlan> pinned(const Manifest& manifest, const std::string& wanted) {
  if (!manifest.process || !manifest.process->npm) return std::nullopt;
  NpmStep step = npm_step(*manifest.process->npm);
  if (!wanted.empty()) step.version = wanted;
  const std::string version = step.version;
  return ProcessPlan{std::move(step), manifest.process->args, manifest.process->env, version, ArtifactSource::fallback};
}

// How the registry's entry would be installed here, or nothing when it offers no way for this platform and version.
Result<std::optional<ProcessPlan>> from_registry(const Manifest& manifest, const RegistryEntry& entry,
                                                 const std::string& wanted, std::string_view platform) {
  const RegistryDistribution& distribution = entry.distribution;
  const bool other_version = !wanted.empty() && wanted != entry.version;
  if (distribution.binary && !other_version)
    if (const auto found = distribution.binary->find(std::string(platform)); found != distribution.binary->end())
      return from_archive(entry, found->second);
  if (distribution.npx) return from_npx(manifest, entry, *distribution.npx, wanted);
  if (distribution.uvx && !other_version) return from_uvx(entry, *distribution.uvx);
  return std::nullopt;
}

std::string out_of_reach(const RegistryFinding& registry) {
  const std::string_view why = registry.trouble;
  if (why.empty()) return "the registry could not be reached";
  return fmt::format("the registry could not be reached ({})", why.substr(0, why.find_last_not_of('.') + 1));
}

std::string why_not(const Manifest& manifest, const RegistryFinding& registry, const InstallWishes& wishes,
                    std::string_view platform) {
  if (registry.entry && !wishes.process_version.empty() && wishes.process_version != registry.entry->version)
    return fmt::format("version {} of it cannot be had: the registry offers {} only", wishes.process_version,
                       registry.entry->version);
  if (registry.entry) return fmt::format("the registry offers it for other platforms than {} only", platform);
  std::string why = "the registry does not list it";
  if (!registry.reachable) why = out_of_reach(registry);
  if (!registry.copy_of.empty())
    why = fmt::format("the registry could not be reached, and its copy of {} does not list it", registry.copy_of);
  if (manifest.unavailable.empty()) return why + ", and no other source of it is known";
  return why + ". " + manifest.unavailable;
}

// The manifest's variables, where the registry says nothing else.
ProcessPlan with_defaults(const Manifest& manifest, ProcessPlan plan) {
  if (manifest.process) plan.env.insert(manifest.process->env.begin(), manifest.process->env.end());
  return plan;
}

Result<ProcessPlan> plan_process(const Manifest& manifest, const RegistryFinding& registry, const InstallWishes& wishes,
                                 std::string_view platform) {
  if (registry.entry) {
    TRY(auto listed, from_registry(manifest, *registry.entry, wishes.process_version, platform));
    if (listed) return with_defaults(manifest, std::move(*listed));
  }
  if (auto known = pinned(manifest, wishes.process_version)) return *known;
  return fail_install(why_not(manifest, registry, wishes, platform));
}

Result<InstallPlan> make_plan(const Manifest& manifest, const RegistryFinding& registry, const InstallWishes& wishes,
                              std::string_view platform) {
  if (!runs_on(manifest, platform))
    return fail_install(fmt::format("it does not run on {}, only on {}", platform, fmt::join(manifest.platforms, ", ")));
  TRY(ProcessPlan process, plan_process(manifest, registry, wishes, platform));
  InstallPlan plan{std::move(process), std::nullopt, RegistryState::non_registry, registry.copy_of};
  if (registry.entry) {
    plan.registry = RegistryState::listed;
  } else if (!registry.reachable) {
    plan.registry = RegistryState::unreachable;
  }
  const bool brings_its_own =
      manifest.native && manifest.native->pinned_only && plan.process.source == ArtifactSource::registry;
  if (!wishes.agent_version.empty() && (brings_its_own || !manifest.native || !manifest.native->npm))
    return fail_install("the version of the tool it needs cannot be chosen: no package carries that tool");
  if (manifest.native && manifest.native->npm && !brings_its_own) {
    plan.native = npm_step(*manifest.native->npm);
    if (plan.native->bin.empty()) plan.native->bin = manifest.native->program;
    if (!wishes.agent_version.empty()) plan.native->version = wishes.agent_version;
  }
  return plan;
}

}  // namespace

bool runs_on(const Manifest& manifest, std::string_view platform) {
  return manifest.platforms.empty() || std::ranges::find(manifest.platforms, platform) != manifest.platforms.end();
}

Error install_error(std::string_view agent, std::string cause) {
  std::string detail = fmt::format("The agent '{}' could not be installed: {}", agent, cause);
  if (!detail.ends_with('.')) detail += '.';
  return Error{ErrorCode::install_failed, std::move(detail), {}}
      .with_text("agent", agent)
      .with_text("cause", cause)
      .with_text("stderr", "");
}

Result<InstallPlan> plan_install(const Manifest& manifest, const RegistryFinding& registry, const InstallWishes& wishes,
                                 std::string_view platform) {
  auto plan = make_plan(manifest, registry, wishes, platform);
  if (!plan) return fail(install_error(manifest.id, plan.error().detail));
  return plan;
}

InstallWishes applied_to(const Manifest& manifest, InstallWishes wishes) {
  if (manifest.native || wishes.agent_version.empty()) return wishes;
  if (wishes.process_version.empty()) wishes.process_version = wishes.agent_version;
  wishes.agent_version.clear();
  return wishes;
}

bool satisfies(const InstallRecord& record, const InstallWishes& wishes) {
  if (wishes.reinstall) return false;
  const auto has = [&](ArtifactKind kind, const std::string& version) {
    return version.empty() || std::ranges::any_of(record.artifacts, [&](const Artifact& artifact) {
             return artifact.kind == kind && artifact.version == version;
           });
  };
  return has(ArtifactKind::agent_process, wishes.process_version) && has(ArtifactKind::native_agent, wishes.agent_version);
}

}  // namespace sa
