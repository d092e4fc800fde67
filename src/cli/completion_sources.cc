// Names of agents and instances, for a shell that waits: quick, and silent about whatever goes wrong.
#include "agents/catalog.h"
#include "cli/completion_candidates.h"
#include "cli/environment.h"
#include "daemon/agent_parts.h"
#include "daemon/places.h"
#include "daemon/server_state.h"
#include "io/fetch.h"

namespace sa {
namespace {

constexpr Millis most_patience{300};

std::vector<Candidate> known_agent_ids() {
  const Settings settings = parse_settings({}, from_environment).value_or(Settings{});
  auto known = known_agents(settings, [](const std::string&) {});
  std::vector<Candidate> ids;
  for (const AgentPtr& agent : Catalog(known ? std::move(*known) : builtin_agents(), Store(data_directory())).agents())
    ids.push_back({agent->manifest.id, agent->manifest.name});
  return ids;
}

std::optional<ServerAddress> daemon_address() {
  if (const auto url = from_environment("SANDBOX_AGENT_URL"); url && !url->empty())
    return ServerAddress{*url, without_blanks(from_environment("SANDBOX_AGENT_TOKEN").value_or(""))};
  const auto server = local_server();
  if (!server) return std::nullopt;
  auto address = address_of(*server);
  return address ? std::optional(std::move(*address)) : std::nullopt;
}

std::string instance_list(const ServerAddress& server) {
  constexpr std::uint64_t most_bytes = 4 * 1024 * 1024;
  FetchRequest request{.url = server.url + "/v1/acp",
                       .connect_timeout = most_patience,
                       .idle_timeout = most_patience,
                       .total_timeout = most_patience,
                       .max_bytes = most_bytes,
                       .max_redirects = 0};
  if (!server.token.empty()) request.headers.emplace_back("Authorization", "Bearer " + server.token);
  std::string list;
  const auto answer = fetch(request, [&list](std::string_view bytes) -> Result<void> {
    list += bytes;
    return {};
  });
  return answer && answer->status == 200 ? list : "";
}

std::vector<Candidate> running_instances() {
  const auto server = daemon_address();
  return server ? instances_in(instance_list(*server)) : std::vector<Candidate>();
}

}  // namespace

CompletionSources real_sources() { return {known_agent_ids, running_instances}; }

}  // namespace sa
