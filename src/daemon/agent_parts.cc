#include "daemon/agent_parts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "daemon/places.h"

namespace sa {
namespace {

constexpr std::size_t quick_threads = 8;
constexpr std::size_t install_threads = 16;

RegistrySettings registry_settings(const Settings& settings, const Store& store) {
  return {.url = settings.registry_url, .copy_file = store.registry_copy()};
}

}  // namespace

Result<std::vector<Agent>> known_agents(const Settings& settings, const std::function<void(const std::string&)>& complain) {
  std::vector<Agent> agents = builtin_agents();
  const std::string folder = settings.agents_dir.empty() ? manifest_directory() : absolute_path(settings.agents_dir);
  if (!settings.agents_dir.empty() && ::access(folder.c_str(), R_OK | X_OK) != 0)
    return fail(ErrorCode::invalid_request, fmt::format("--agents-dir {} cannot be read: {}", folder, errno_text(errno)));
  for (Agent& agent : user_agents(folder, complain)) agents.push_back(std::move(agent));
  const auto first_flag = agents.size();
  for (const std::string& text : settings.agents) {
    TRY(Manifest manifest, parse_agent_flag(text));
    const auto same_id = [&](const Agent& agent) { return agent.manifest.id == manifest.id; };
    if (std::any_of(agents.begin() + static_cast<std::ptrdiff_t>(first_flag), agents.end(), same_id))
      return fail(ErrorCode::invalid_request, fmt::format("--agent gives '{}' twice", manifest.id));
    agents.push_back({std::move(manifest), AgentOrigin::command_line});
  }
  return agents;
}

AgentParts::AgentParts(Loop& loop, Processes& processes, const Settings& settings, std::vector<Agent> known)
    : store(data_directory()),
      registry(registry_settings(settings, store)),
      surroundings{own_binary(), home_directory(), agent_environment(environ, own_binary())},
      catalog(std::move(known), store),
      pool(loop, quick_threads),
      slow_pool(loop, install_threads),
      installer(InstallContext{loop, processes, pool, slow_pool, store, registry, surroundings.environment, settings.installs}),
      offers(loop, processes, pool, installer.stopped()),
      agents{loop, pool, catalog, store, installer, surroundings, settings.require_preinstall} {}

}  // namespace sa
