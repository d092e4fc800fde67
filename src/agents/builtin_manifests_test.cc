// The manifests of agents/, as data: what must be true of each and of all together.
#include "agents/builtin_manifests.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "agents/catalog.h"
#include "agents/install_plan.h"
#include "agents/instructions.h"

namespace sa {
namespace {

// "1.2.3", perhaps with "-beta.1": digits and dots to begin with, so no tag and no range.
bool is_exact_version(const std::string& version) {
  return is_version(version) && version.front() >= '0' && version.front() <= '9' && std::ranges::count(version, '.') >= 2;
}

std::vector<NpmSource> npm_sources(const Manifest& manifest) {
  std::vector<NpmSource> sources;
  if (manifest.process && manifest.process->npm) sources.push_back(*manifest.process->npm);
  if (manifest.native && manifest.native->npm) sources.push_back(*manifest.native->npm);
  return sources;
}

}  // namespace

TEST_CASE("every built-in manifest is read") {
  CHECK(builtin_manifests().size() >= 2);
  for (std::string_view json : builtin_manifests()) {
    const auto manifest = read_manifest(json);
    INFO(json.substr(0, 60) << (manifest ? "" : manifest.error().detail));
    CHECK(manifest.has_value());
  }
  CHECK(builtin_agents().size() == builtin_manifests().size());
  for (const Agent& agent : builtin_agents()) CHECK(agent.origin == AgentOrigin::builtin);
}

TEST_CASE("no two built-in agents have a name in common") {
  std::set<std::string> names;
  for (const Agent& agent : builtin_agents()) {
    CAPTURE(agent.manifest.id);
    CHECK(names.insert(agent.manifest.id).second);
  }
  for (const Agent& agent : builtin_agents())
    for (const std::string& alias : agent.manifest.aliases) {
      CAPTURE(alias);
      CHECK(names.insert(alias).second);
    }
}

TEST_CASE("built-in agents are complete: exact versions, known capabilities, something to show") {
  for (const Agent& agent : builtin_agents()) {
    const Manifest& manifest = agent.manifest;
    CAPTURE(manifest.id);
    CHECK_FALSE(manifest.description.empty());
    CHECK_FALSE(manifest.license.empty());
    CHECK_FALSE(manifest.capabilities.empty());
    CHECK(manifest.credentials.has_value());
    for (const NpmSource& npm : npm_sources(manifest)) {
      CAPTURE(npm.package);
      CHECK(is_exact_version(npm.version));
    }
    for (const auto& [name, able] : manifest.capabilities) {
      CAPTURE(name);
      CHECK(std::ranges::find(capability_names, name) != capability_names.end());
    }
    for (const std::string& platform : manifest.platforms) CHECK(std::ranges::count(platform, '-') == 1);
    if (manifest.process)
      for (const auto& [name, value] : manifest.process->env) CHECK(is_variable_name(name));
    for (const auto& [name, value] : manifest.env) CHECK(is_variable_name(name));
    CHECK(install_instructions(manifest).ends_with(".\n"));
  }
}

TEST_CASE("one built-in agent is this program itself, and no other has a command") {
  std::size_t own = 0;
  for (const Agent& agent : builtin_agents()) {
    if (agent.manifest.command.empty()) continue;
    CHECK(agent.manifest.command.front() == "{self}");
    CHECK_FALSE(agent.manifest.credentials.value_or(CredentialPlaces{}).needed);
    ++own;
  }
  CHECK(own == 1);
}

TEST_CASE("every built-in agent that is to be installed has a source without the registry, or says why not") {
  for (const Agent& agent : builtin_agents()) {
    const Manifest& manifest = agent.manifest;
    if (!manifest.command.empty()) continue;
    CAPTURE(manifest.id);
    CHECK(((manifest.process && manifest.process->npm) || !manifest.unavailable.empty()));
    if (manifest.native) CHECK((manifest.native->npm || !manifest.native->how.empty()));
  }
}

}  // namespace sa
