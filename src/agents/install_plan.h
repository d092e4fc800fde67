// What an install would do: decided from the manifest, the registry's entry and the caller's wishes, before anything happens.
// Values; pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/install_record.h"
#include "agents/manifest.h"
#include "agents/registry_document.h"
#include "base/result.h"

namespace sa {

// What the caller asks for. Empty versions: those of the registry or the manifest.
struct InstallWishes {
  bool reinstall = false;
  std::string agent_version;    // of the native tool; of an agent without one, of the agent itself
  std::string process_version;  // of the program that speaks ACP
  bool operator==(const InstallWishes&) const = default;
};

struct NpmStep {
  std::string package;
  std::string version;
  std::string bin;   // empty: the only one, or the one named like the package
  std::string node;  // least Node.js, or empty
  bool scripts = false;
};

struct UvStep {
  std::string package;  // with its version
  std::string bin;      // empty: named like the package
};

struct ArchiveStep {
  std::string url;
  std::string sha256;  // empty: unknown
  std::string cmd;     // the program, relative to what is unpacked
};

struct ProcessPlan {
  std::variant<NpmStep, UvStep, ArchiveStep> step;
  std::vector<std::string> args;
  std::map<std::string, std::string> env;  // unless the environment has them
  std::string version;
  ArtifactSource source = ArtifactSource::fallback;
};

struct InstallPlan {
  ProcessPlan process;
  std::optional<NpmStep> native;  // to install; none: not needed, or to be found on this machine
  RegistryState registry = RegistryState::non_registry;
  std::string registry_copy_of;  // as RegistryFinding::copy_of
};

// What is known of the registry when a plan is made.
struct RegistryFinding {
  std::optional<RegistryEntry> entry;
  bool reachable = true;  // or there is a copy of it,
  std::string copy_of{};  // made at this time; empty: it was reached
  std::string trouble{};  // why it is not reachable, a sentence; empty: unknown
};

// Whether its manifest lets it run there.
bool runs_on(const Manifest& manifest, std::string_view platform);

// Errors: install_failed when it cannot be had on this platform, in this version, or at all.
Result<InstallPlan> plan_install(const Manifest& manifest, const RegistryFinding& registry, const InstallWishes& wishes,
                                 std::string_view platform);

// The wishes as they apply to this agent.
InstallWishes applied_to(const Manifest& manifest, InstallWishes wishes);

// Whether what is installed is what the (applied) wishes name.
bool satisfies(const InstallRecord& record, const InstallWishes& wishes);

// install_failed with `agent`, `cause`, and a `stderr` that is empty: whoever ran a program puts there what it wrote.
Error install_error(std::string_view agent, std::string cause);
// The same from a step, which does not know the agent.
inline std::unexpected<Error> fail_install(std::string cause) { return fail(ErrorCode::install_failed, std::move(cause)); }

}  // namespace sa
