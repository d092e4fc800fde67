#include "api/agent_description.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "agents/instructions.h"
#include "agents/start.h"

namespace sa {
namespace {

std::optional<std::string> known(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

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

// Where it would come from, as far as is known.
InstallDocument describe_plan(const Agent& agent, const Result<Registry::Document>& registry) {
  InstallDocument document;
  if (!is_installable(agent)) {
    document.source = ArtifactSource::local_path;
    document.problem = "Its program is not on this machine.";
    return document;
  }
  const bool was_asked =
      registry.has_value() || agent.manifest.registry.empty() || registry.error().code != ErrorCode::not_found;
  RegistryFinding finding{.entry = {}, .reachable = registry.has_value() || agent.manifest.registry.empty()};
  if (registry) finding.copy_of = registry->copy_of;
  if (!finding.reachable && was_asked) finding.trouble = registry.error().detail;
  auto listed = registry ? find_in_registry(registry->json, agent.manifest.registry) : std::optional<RegistryEntry>();
  if (listed) finding.entry = std::move(*listed);
  const auto plan = listed ? plan_install(agent.manifest, finding, {}, this_platform())
                           : fail(install_error(agent.manifest.id, listed.error().detail));
  if (plan) {
    document.source = plan->process.source;
    document.registry = plan->registry;
    document.registry_copy_of = known(plan->registry_copy_of);
  } else {
    // What a registry says that nobody asked yet is no problem so far.
    if (was_asked || !runs_on(agent.manifest, this_platform())) document.problem = plan.error().detail;
    if (runs_on(agent.manifest, this_platform()) && (finding.entry || !was_asked)) document.source = ArtifactSource::registry;
    document.registry = finding.entry       ? RegistryState::listed
                        : finding.reachable ? RegistryState::non_registry
                                            : RegistryState::unreachable;
  }
  return document;
}

void describe_credentials(const Agents& agents, const Manifest& manifest, AgentDocument& document) {
  const CredentialState state = find_credentials(manifest, agents.surroundings);
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

}  // namespace

AgentDescription describe_agent(const Agents& agents, const AgentPtr& agent, const Result<Registry::Document>& registry) {
  const Manifest& manifest = agent->manifest;
  AgentDescription description{agent, {.id = manifest.id, .name = manifest.name}, ""};
  AgentDocument& document = description.document;
  document.description = known(manifest.description);
  document.homepage = known(manifest.homepage);
  document.license = known(manifest.license);
  document.aliases = manifest.aliases;
  for (std::string_view name : capability_names) {
    const auto said = manifest.capabilities.find(std::string(name));
    document.capabilities[std::string(name)] = said != manifest.capabilities.end() && said->second;
  }
  describe_credentials(agents, manifest, document);
  const Presence presence = look_at(*agent, agents.store, agents.surroundings);
  document.installed = presence.installed;
  document.path = known(presence.path);
  if (presence.record) {
    document.install = describe_install(*presence.record);
    document.version = presence.record->artifacts.front().version;
  } else if (!presence.installed) {
    document.install = describe_plan(*agent, registry);
  }
  description.version = identity_of(presence.path) + agents.store.look(manifest.id).tree;
  document.instructions = install_instructions(manifest);
  return description;
}

void add_offer(AgentDescription& description, const ProbeResult* probed, bool with_config) {
  AgentDocument& document = description.document;
  if (!document.installed) return;
  const bool asked = probed && !probed->error;
  const OfferOrigin origin = asked ? OfferOrigin::probed : OfferOrigin::manifest;
  const auto& options = asked ? probed->options : description.agent->manifest.options;
  document.models = choices(options, "model", origin);
  document.modes = choices(options, "mode", origin);
  if (!with_config) return;
  document.config_options = option_documents(options);
  if (probed) document.config_error = probed->error;
  if (probed && !probed->agent_version.empty() && !document.version) document.version = probed->agent_version;
}

}  // namespace sa
