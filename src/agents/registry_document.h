// What the ACP registry says of an agent. Its document: {version, agents: [{id, name, version, distribution: {npx | uvx:
// {package, args, env, cmd?}, binary: {<os>-<arch>: {archive, cmd, args, env, sha256?}}}}]}. Values; pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/shape.h"

namespace sa {

// A package that is run by its package manager: npx or uvx.
struct RegistryPackage {
  std::string package;  // with its version, such as "@scope/name@1.2.3" or "name==1.2.3"
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  std::string cmd;  // which of its programs
};

template <>
struct Shape<RegistryPackage> {
  using E = RegistryPackage;
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"package", &E::package, ""},
      Field{"args", &E::args, ""},
      Field{"env", &E::env, ""},
      Field{"cmd", &E::cmd, ""},
  };
};

struct RegistryArchive {
  std::string archive;  // URL
  std::string cmd;      // the program in it
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  std::string sha256;
};

template <>
struct Shape<RegistryArchive> {
  using E = RegistryArchive;
  static constexpr bool absent_is_default = true;
  static constexpr std::tuple fields{
      Field{"archive", &E::archive, ""}, Field{"cmd", &E::cmd, ""},       Field{"args", &E::args, ""},
      Field{"env", &E::env, ""},         Field{"sha256", &E::sha256, ""},
  };
};

struct RegistryDistribution {
  std::optional<RegistryPackage> npx;
  std::optional<RegistryPackage> uvx;
  std::optional<std::map<std::string, RegistryArchive>> binary;  // by platform
};

template <>
struct Shape<RegistryDistribution> {
  using E = RegistryDistribution;
  static constexpr std::tuple fields{
      Field{"npx", &E::npx, ""},
      Field{"uvx", &E::uvx, ""},
      Field{"binary", &E::binary, ""},
  };
};

struct RegistryEntry {
  std::string id;
  std::string version;
  RegistryDistribution distribution;
};

template <>
struct Shape<RegistryEntry> {
  using E = RegistryEntry;
  static constexpr std::tuple fields{
      Field{"id", &E::id, ""},
      Field{"version", &E::version, ""},
      Field{"distribution", &E::distribution, ""},
  };
};

// "linux-x86_64": what we run on, as the registry and manifests say it.
std::string_view this_platform();

// Whether it looks like a registry: a list of agents.
bool is_registry(std::string_view document);

// The entry of the first slug that is listed, or nothing. Only that entry must be well shaped. Errors: unprocessable with the
// field, invalid_request when the document is none.
Result<std::optional<RegistryEntry>> find_in_registry(std::string_view document, const std::vector<std::string>& slugs);

// Whether a name changes how processes are plumbed (PATH, LD_PRELOAD, NODE_OPTIONS …): nothing a registry may set.
bool is_plumbing_variable(std::string_view name);

}  // namespace sa
