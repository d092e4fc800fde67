// What was installed, from where, and how sure we are of it: kept beside every install and shown by the API. Values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/shape.h"

namespace sa {

enum class ArtifactKind : std::uint8_t { native_agent, agent_process };
enum class ArtifactSource : std::uint8_t { registry, fallback, local_path, builtin };
enum class RegistryState : std::uint8_t { listed, non_registry, unreachable };

template <>
struct Words<ArtifactKind> {
  static constexpr std::string_view all[] = {"native_agent", "agent_process"};
};
template <>
struct Words<ArtifactSource> {
  static constexpr std::string_view all[] = {"registry", "fallback", "local_path", "builtin"};
};
template <>
struct Words<RegistryState> {
  static constexpr std::string_view all[] = {"listed", "non_registry", "unreachable"};
};

struct Artifact {
  ArtifactKind kind = ArtifactKind::agent_process;
  std::string path;
  ArtifactSource source = ArtifactSource::local_path;
  std::optional<std::string> version;
  std::optional<std::string> package;
  std::optional<std::string> url;
  std::optional<std::string> sha256;
  std::optional<std::string> integrity;
};

template <>
struct Shape<Artifact> {
  using E = Artifact;
  static constexpr std::string_view name = "Artifact";
  static constexpr std::string_view help = "One installed program.";
  static constexpr std::tuple fields{
      Field{"kind", &E::kind, "The program that speaks ACP, or the tool it needs."},
      Field{"path", &E::path, "What is started."},
      Field{"source", &E::source,
            "The registry; the manifest's pinned package; a program that was there already; or this binary itself."},
      Field{"version", &E::version, "Its version, where known."},
      Field{"package", &E::package, "The package it came in."},
      Field{"url", &E::url, "Where its archive came from."},
      Field{"sha256", &E::sha256, "The archive's hash: compared when the registry gave one, recorded when not."},
      Field{"integrity", &E::integrity, "The package's integrity value, checked by the package manager."},
  };
};

// How an installed program is started. Paths are relative to its install.
struct LaunchRecord {
  std::string program;
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  std::vector<std::string> path;
};

template <>
struct Shape<LaunchRecord> {
  using E = LaunchRecord;
  static constexpr std::string_view name = "LaunchRecord";
  static constexpr std::string_view help = "How an installed program is started. Paths are relative to its install.";
  static constexpr std::tuple fields{
      Field{"program", &E::program, "The program."},
      Field{"args", &E::args, "Its arguments."},
      Field{"env", &E::env, "Variables it gets unless the environment has them."},
      Field{"path", &E::path, "Folders that come first on its PATH."},
  };
};

struct InstallRecord {
  std::string agent;
  RegistryState registry = RegistryState::non_registry;
  std::vector<Artifact> artifacts;  // the process first
  LaunchRecord launch;
  std::optional<LaunchRecord> native;         // of a tool we installed,
  std::optional<std::string> native_program;  // and its name
  bool verified = false;
  long long verified_at_ms = 0;
  long long installed_at_ms = 0;
  std::optional<std::string> registry_copy_of;  // the time of the copy that was used because the registry was unreachable
  std::optional<bool> from_bundle;
};

template <>
struct Shape<InstallRecord> {
  using E = InstallRecord;
  static constexpr std::string_view name = "InstallRecord";
  static constexpr std::string_view help = "What an install consists of and where it came from.";
  static constexpr std::tuple fields{
      Field{"agent", &E::agent, "The agent's id."},
      Field{"registry", &E::registry, "What the registry said of the agent."},
      Field{"artifacts", &E::artifacts, "The programs."},
      Field{"launch", &E::launch, "How the process is started."},
      Field{"native", &E::native, "How the tool it needs is started."},
      Field{"nativeProgram", &E::native_program, "The name of that tool."},
      Field{"verified", &E::verified, "Whether the verification passed."},
      Field{"verifiedAtMs", &E::verified_at_ms, "When, in milliseconds since 1970."},
      Field{"installedAtMs", &E::installed_at_ms, "When it was installed, in milliseconds since 1970."},
      Field{"registryCopyOf", &E::registry_copy_of,
            "The registry could not be reached: the time of the copy that was used instead."},
      Field{"fromBundle", &E::from_bundle, "It came from a bundle, without a network."},
  };
};

// Error also when it names no program at all.
Result<InstallRecord> read_install_record(std::string_view json);
Result<void> check_record(const InstallRecord& record);

}  // namespace sa
