// Where manifests come from: the binary, and the user's folder.
#include <fmt/format.h>

#include <algorithm>

#include "agents/builtin_manifests.h"
#include "agents/catalog.h"
#include "agents/said_of_file.h"
#include "files/names_in.h"
#include "files/read_up_to.h"

namespace sa {
namespace {

constexpr std::size_t longest_manifest = std::size_t{1} << 20;
constexpr std::string_view manifest_suffix = ".json";

Result<Manifest> read_manifest_file(const std::string& path) {
  TRY(const std::string json, read_file(path, longest_manifest));
  return read_manifest(json);
}

}  // namespace

std::vector<Agent> builtin_agents() {
  std::vector<Agent> agents;
  for (std::string_view json : builtin_manifests())
    if (auto manifest = read_manifest(json)) agents.push_back({std::move(*manifest), AgentOrigin::builtin});
  return agents;
}

std::vector<Agent> user_agents(const std::string& folder, const std::function<void(const std::string&)>& complain) {
  std::vector<Agent> agents;
  for (const std::string& name : names_in(folder)) {
    if (!name.ends_with(manifest_suffix) || name.starts_with('.')) continue;
    const std::string path = fmt::format("{}/{}", folder, name);
    auto manifest = read_manifest_file(path);
    const auto same_id = [&](const Agent& agent) { return agent.manifest.id == manifest->id; };
    if (!manifest) {
      complain(fmt::format("the agent manifest {} is not used: {}", path, said_of_file(manifest.error().detail)));
    } else if (std::ranges::any_of(agents, same_id)) {
      complain(fmt::format("the agent manifest {} is not used: another file gives '{}' already", path, manifest->id));
    } else {
      agents.push_back({std::move(*manifest), AgentOrigin::user});
    }
  }
  return agents;
}

}  // namespace sa
