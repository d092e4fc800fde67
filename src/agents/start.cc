#include "agents/start.h"

#include "agents/credentials.h"
#include "base/version.h"

namespace sa {
namespace {

constexpr std::string_view own_binary_word = "{self}";

bool is_builtin(const Manifest& manifest) { return !manifest.command.empty() && manifest.command.front() == own_binary_word; }

std::vector<std::string> command_of(const Manifest& manifest, const Surroundings& surroundings) {
  std::vector<std::string> words = manifest.command;
  if (is_builtin(manifest)) words.front() = surroundings.own_binary;
  return words;
}

// The words of the command line win; else a launcher put there by hand does.
bool command_decides(const Agent& agent, const Store& store) {
  return !agent.manifest.command.empty() &&
         (agent.origin == AgentOrigin::command_line || store.look(agent.manifest.id).found != Store::Found::by_hand);
}

InstallRecord record_of(const Agent& agent, ArtifactSource source, const std::string& path,
                        std::optional<std::string> version) {
  InstallRecord record{.agent = agent.manifest.id};
  record.artifacts.push_back({.path = path, .source = source, .version = std::move(version)});
  return record;
}

Presence command_presence(const Agent& agent, const Surroundings& surroundings) {
  if (is_builtin(agent.manifest)) {
    InstallRecord record = record_of(agent, ArtifactSource::builtin, surroundings.own_binary, std::string(version));
    record.verified = true;  // it is this program
    return {true, surroundings.own_binary, std::move(record)};
  }
  const std::string path = find_program(agent.manifest.command.front(), variable_in(surroundings.environment, "PATH"));
  if (path.empty()) return {};
  return {true, path, record_of(agent, ArtifactSource::local_path, path, std::nullopt)};
}

}  // namespace

bool is_installable(const Agent& agent) { return agent.manifest.command.empty() && agent.origin != AgentOrigin::launcher; }

std::vector<std::string> environment_of(const Manifest& manifest, std::vector<std::string> environment) {
  for (const auto& [name, value] : manifest.env) set_variable(environment, name, value);
  hand_over_credentials(manifest, environment);
  return environment;
}

std::optional<ChildSpec> how_to_start(const Agent& agent, const Store& store, const Surroundings& surroundings) {
  const Manifest& manifest = agent.manifest;
  ChildSpec spec{.env = environment_of(manifest, surroundings.environment)};
  if (command_decides(agent, store)) {
    spec.argv = command_of(manifest, surroundings);
  } else if (store.look(manifest.id).found != Store::Found::nothing) {
    spec.argv = {store.launcher(manifest.id)};
  } else {
    return std::nullopt;
  }
  return spec;
}

Presence look_at(const Agent& agent, const Store& store, const Surroundings& surroundings) {
  const std::string& id = agent.manifest.id;
  if (command_decides(agent, store)) return command_presence(agent, surroundings);
  const auto there = store.look(id);
  if (there.found == Store::Found::nothing) return {};
  const std::string path = store.launcher(id);
  if (there.found == Store::Found::by_hand)
    return {true, path, record_of(agent, ArtifactSource::local_path, path, std::nullopt)};
  auto record = store.record(id, there.tree);
  return {true, path, record ? std::optional(std::move(*record)) : std::nullopt};
}

}  // namespace sa
