// /v1/agents: which agents there are and what is known of each.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "agents/instructions.h"
#include "agents/start.h"
#include "api/agents_documents.h"
#include "api/handlers.h"
#include "base/utf8.h"

namespace sa {
namespace {

std::optional<std::string> known(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

// Everything of one agent that is found on disk. Made on a worker thread, completed on the loop.
struct Row {
  AgentPtr agent;
  AgentDocument document;
  std::string version;  // what an offer is remembered under
};

InstallDocument describe_install(const InstallRecord& record) {
  InstallDocument document{.source = record.artifacts.front().source,
                           .registry = record.registry,
                           .artifacts = record.artifacts,
                           .verified = record.verified};
  if (record.verified_at_ms) document.verified_at_ms = record.verified_at_ms;
  if (record.installed_at_ms) document.installed_at_ms = record.installed_at_ms;
  document.registry_copy_of = record.registry_copy_of;
  document.from_bundle = record.from_bundle;
  return document;
}

// Where it would come from, as far as is known without asking anybody.
InstallDocument describe_plan(const Agent& agent, const Result<Registry::Document>& registry) {
  InstallDocument document;
  if (!is_installable(agent)) {
    document.source = ArtifactSource::local_path;
    document.problem = "Its program is not on this machine.";
    return document;
  }
  RegistryFinding finding{.entry = {}, .reachable = registry.has_value() || agent.manifest.registry.empty(), .copy_of = {}};
  auto listed = registry ? find_in_registry(registry->json, agent.manifest.registry) : std::optional<RegistryEntry>();
  if (listed) finding.entry = std::move(*listed);
  const auto plan = listed ? plan_install(agent.manifest, finding, {}, this_platform())
                           : fail(install_error(agent.manifest.id, listed.error().detail));
  if (plan) {
    document.source = plan->process.source;
    document.registry = plan->registry;
  } else {
    document.problem = plan.error().detail;
    document.registry = finding.entry       ? RegistryState::listed
                        : finding.reachable ? RegistryState::non_registry
                                            : RegistryState::unreachable;
  }
  return document;
}

void describe_credentials(const Api& api, const Manifest& manifest, AgentDocument& document) {
  const CredentialState state = find_credentials(manifest, api.agents.surroundings);
  document.credentials = state.state;
  document.credentials_available = state.state != CredentialStatus::missing;
  if (state.place) document.credentials_place = state.place->name;
}

// Another text when the program is another.
std::string identity_of(const std::string& program) {
  struct stat info{};
  if (::stat(program.c_str(), &info) != 0) return program;
  return fmt::format("{} {} {}.{} ", program, info.st_ino, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

Row describe(const Api& api, const AgentPtr& agent, const Result<Registry::Document>& registry) {
  const Manifest& manifest = agent->manifest;
  Row row{agent, {.id = manifest.id, .name = manifest.name}, ""};
  AgentDocument& document = row.document;
  document.description = known(manifest.description);
  document.homepage = known(manifest.homepage);
  document.license = known(manifest.license);
  document.aliases = manifest.aliases;
  for (std::string_view name : capability_names) {
    const auto said = manifest.capabilities.find(std::string(name));
    document.capabilities[std::string(name)] = said != manifest.capabilities.end() && said->second;
  }
  describe_credentials(api, manifest, document);
  const Presence presence = look_at(*agent, api.agents.store, api.agents.surroundings);
  document.installed = presence.installed;
  document.path = known(presence.path);
  if (presence.record) {
    document.install = describe_install(*presence.record);
    document.version = presence.record->artifacts.front().version;
  } else if (!presence.installed) {
    document.install = describe_plan(*agent, registry);
  }
  row.version = identity_of(presence.path) + api.agents.store.look(manifest.id).tree;
  document.instructions = install_instructions(manifest);
  return row;
}

std::optional<ChoicesDocument> choices(const std::vector<ConfigOption>& options, std::string_view category,
                                       OfferOrigin origin) {
  const auto found = std::ranges::find(options, category, &ConfigOption::category);
  if (found == options.end()) return std::nullopt;
  return ChoicesDocument{known(found->current_value), found->options, origin};
}

std::vector<OptionDocument> option_documents(const std::vector<ConfigOption>& options) {
  std::vector<OptionDocument> documents;
  documents.reserve(options.size());
  for (const ConfigOption& option : options)
    documents.push_back({.id = option.id,
                         .name = option.name,
                         .category = known(option.category),
                         .current_value = option.current_value,
                         .options = option.options});
  return documents;
}

void add_offer(Row& row, const ProbeResult* probed, bool with_config) {
  AgentDocument& document = row.document;
  if (!document.installed) return;
  const bool asked = probed && !probed->error;
  const OfferOrigin origin = asked ? OfferOrigin::probed : OfferOrigin::manifest;
  const auto& options = asked ? probed->options : row.agent->manifest.options;
  document.models = choices(options, "model", origin);
  document.modes = choices(options, "mode", origin);
  if (!with_config) return;
  document.config_options = option_documents(options);
  if (probed) document.config_error = probed->error;
  if (probed && !probed->agent_version.empty() && !document.version) document.version = probed->agent_version;
}

void add_server(const Api& api, AgentDocument& document) {
  for (const Instances::Row& row : api.instances.list()) {
    if (row.agent != document.id || !row.instance || row.instance->exited()) continue;
    const long long uptime = unix_millis() - row.instance->created_at();
    if (!document.server_status || document.server_status->uptime_ms < uptime)
      document.server_status = AgentServerDocument{AgentServerStatus::running, uptime};
  }
}

// Asks installed agents at the same time and waits for all of them.
struct Questioning {
  explicit Questioning(Loop& loop) : done(loop) {}
  std::size_t open = 0;
  Signal done;
};

Task<> ask(Api& api, Row& row, bool fresh, Questioning& all) {
  if (auto child = how_to_start(*row.agent, api.agents.store, api.agents.surroundings)) {
    const ProbeResult result = co_await api.offers.ask(row.document.id, row.version, std::move(*child), fresh);
    add_offer(row, &result, true);
  }
  --all.open;
  all.done.notify();
}

Task<> complete(Api& api, std::vector<Row>& rows, bool with_config, bool fresh) {
  Questioning all(api.agents.loop);
  for (Row& row : rows) {
    add_server(api, row.document);
    add_offer(row, api.offers.known(row.document.id, row.version), with_config);
    if (!with_config || !row.document.installed) continue;
    ++all.open;
    spawn(ask(api, row, fresh, all));
  }
  while (all.open > 0) co_await all.done.wait();
}

Task<Result<std::vector<Row>>> describe_all(Api& api, Request& request, std::vector<AgentPtr> agents) {
  CO_TRY(const bool with_config, request.query_flag("config"));
  CO_TRY(const bool fresh, request.query_flag("no_cache"));
  auto rows = co_await api.pool.run([&] {
    const auto registry = api.registry.known();
    std::vector<Row> found;
    found.reserve(agents.size());
    for (const AgentPtr& agent : agents) found.push_back(describe(api, agent, registry));
    return found;
  });
  co_await complete(api, rows, with_config, fresh);
  co_return rows;
}

Result<AgentPtr> agent_of(const Api& api, const Request& request) {
  const std::string& name = request.path_parameters.at(0);
  auto agent = api.agents.catalog.find(name);
  if (agent) return agent;
  return fail(Error{ErrorCode::not_found, agent.error().detail, {}}
                  .with_text("resource", "agent")
                  .with_text("id", repair_utf8(name, 64))
                  .with_json("suggestions", agent.error().extra("suggestions")));
}

}  // namespace

Task<Result<Response>> list_agents(Api& api, Request& request) {
  CO_TRY(auto rows, co_await describe_all(api, request, api.agents.catalog.agents()));
  AgentList list;
  for (Row& row : rows) list.agents.push_back(std::move(row.document));
  co_return Response::json(to_json(list));
}

Task<Result<Response>> get_agent(Api& api, Request& request) {
  CO_TRY(const AgentPtr agent, agent_of(api, request));
  CO_TRY(const auto rows, co_await describe_all(api, request, {agent}));
  co_return Response::json(to_json(rows.front().document));
}

}  // namespace sa
