// `sandbox-agent agents list` and `agents info`: what is known of this machine's agents, without the network.
#include <fmt/format.h>

#include <algorithm>

#include "api/agent_description.h"
#include "api/schema.h"
#include "base/utc_time.h"
#include "cli/agent_ready.h"
#include "cli/agents_workshop.h"
#include "cli/commands.h"
#include "cli/text_table.h"

namespace sa {
namespace {

AgentDescription described(const Workshop& shop, const AgentPtr& agent, const Result<Registry::Document>& registry) {
  AgentDescription description = describe_agent(shop.parts.agents, agent, registry);
  add_offer(description, nullptr, false);
  return description;
}

bool is_built_in(const AgentDescription& known) { return known.document.install.source == ArtifactSource::builtin; }

Cell state_cell(const AgentDescription& known) {
  if (!known.document.installed) return {"not installed", Ink::dim};
  if (is_built_in(known)) return {"built in", Ink::green};
  if (known.agent->origin == AgentOrigin::command_line) return {"by command, in the daemon", Ink::green};
  return {known.agent->manifest.command.empty() ? "installed" : "by command", Ink::green};
}

// What the registry says matters to those that can come from it; nobody asks it for a list.
std::string registry_text(const AgentDescription& known, const Result<Registry::Document>& registry) {
  if (!known.agent->manifest.command.empty()) return "-";
  const bool was_asked = registry || registry.error().code != ErrorCode::not_found;
  const RegistryState state = known.document.install.registry;
  return state == RegistryState::unreachable && !was_asked && !known.document.installed ? "not asked"
                                                                                        : std::string(word_of(state));
}

std::string verified_text(const AgentDescription& known) {
  if (!known.document.installed) return "-";
  return known.document.install.verified ? "yes" : "no";
}

Cell credentials_cell(const AgentDocument& document) {
  switch (document.credentials) {
    case CredentialStatus::found: return {"found in " + document.credentials_place.value_or(""), Ink::green};
    case CredentialStatus::missing: return {"missing", Ink::yellow};
    case CredentialStatus::not_needed: return {"not needed"};
    case CredentialStatus::unknown: return {"unknown"};
  }
  return {};
}

TableRow agent_row(const AgentDescription& known, const Result<Registry::Document>& registry) {
  const AgentDocument& document = known.document;
  return {{document.id, Ink::bold},         state_cell(known),
          {document.version.value_or("-")}, {std::string(document.install.source ? word_of(*document.install.source) : "-")},
          {registry_text(known, registry)}, {verified_text(known)},
          credentials_cell(document),       {document.name}};
}

Task<Outcome<Exit>> list_agents(Workshop& shop, Invocation& given) {
  const auto registry = shop.parts.registry.known();
  AgentList list;
  std::vector<TableRow> rows;
  for (const AgentPtr& agent : shop.parts.catalog.agents()) {
    AgentDescription known = described(shop, agent, registry);
    rows.push_back(agent_row(known, registry));
    list.agents.push_back(std::move(known.document));
  }
  constexpr std::string_view head[] = {"ID", "STATE", "VERSION", "SOURCE", "REGISTRY", "VERIFIED", "CREDENTIALS", "NAME"};
  if (given.console().json()) {
    given.console().document(to_json(list));
  } else {
    print_table(given.console(), head, rows, std::size(head) - 1);
  }
  tell_other_keys(given.console());
  co_return Exit::success;
}

using Fact = std::pair<std::string_view, std::string>;

std::string time_text(const std::optional<long long>& ms) {
  constexpr long long thousand = 1'000, million = 1'000'000;
  return ms ? rfc3339({.tv_sec = *ms / thousand, .tv_nsec = *ms % thousand * million}) : "";
}

// "A_KEY (or ANOTHER_KEY), ~/.a/credentials.json": all that is looked at.
std::string places_text(const Manifest& manifest) {
  if (!manifest.credentials) return "";
  std::vector<std::string> places;
  for (const CredentialVariable& variable : manifest.credentials->variables)
    places.push_back(variable.aliases.empty() ? variable.name
                                              : fmt::format("{} (or {})", variable.name, fmt::join(variable.aliases, ", ")));
  places.insert(places.end(), manifest.credentials->files.begin(), manifest.credentials->files.end());
  return fmt::format("{}", fmt::join(places, ", "));
}

std::string capabilities_text(const AgentDocument& document) {
  std::vector<std::string> able;
  for (const auto& [name, is] : document.capabilities)
    if (is) able.push_back(name);
  return fmt::format("{}", fmt::join(able, ", "));
}

std::string choices_text(const std::optional<ChoicesDocument>& choices) {
  std::vector<std::string> values;
  if (choices)
    for (const Choice& choice : choices->values) values.push_back(choice.value);
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string artifact_text(const Artifact& artifact) {
  std::string text = fmt::format("{} {} ({}) {}", word_of(artifact.kind), artifact.version.value_or("-"),
                                 word_of(artifact.source), artifact.path);
  for (const auto& more : {artifact.package, artifact.url, artifact.sha256, artifact.integrity})
    if (more) text += fmt::format("\n{:19}{}", "", *more);
  return text;
}

std::vector<Fact> facts_of(const AgentDescription& known, const Result<Registry::Document>& registry) {
  const AgentDocument& document = known.document;
  const InstallDocument& install = document.install;
  std::vector<Fact> facts{
      {"name", document.name},
      {"description", document.description.value_or("")},
      {"also found as", fmt::format("{}", fmt::join(document.aliases, ", "))},
      {"state", state_cell(known).text},
      {"version", document.version.value_or("")},
      {"path", document.path.value_or("")},
      {"source", std::string(install.source ? word_of(*install.source) : "")},
      {"registry", registry_text(known, registry)},
      {"registry copy of", install.registry_copy_of.value_or("")},
      {"from a bundle", install.from_bundle.value_or(false) ? "yes" : ""},
      {"installed at", time_text(install.installed_at_ms)},
      {"verified", verified_text(known)},
      {"verified at", time_text(install.verified_at_ms)},
      {"problem", install.problem.value_or("")},
      {"credentials", credentials_cell(document).text},
      {"looked at", places_text(known.agent->manifest)},
      {"models", choices_text(document.models)},
      {"modes", choices_text(document.modes)},
      {"can do", capabilities_text(document)},
      {"homepage", document.homepage.value_or("")},
      {"license", document.license.value_or("")},
  };
  for (const Artifact& artifact : install.artifacts) facts.emplace_back("artifact", artifact_text(artifact));
  return facts;
}

Task<Outcome<Exit>> tell_agent(Workshop& shop, Invocation& given) {
  CO_TRY(const AgentPtr agent, shop.find(given.argument()));
  const auto registry = shop.parts.registry.known();
  const AgentDescription known = described(shop, agent, registry);
  Console& console = given.console();
  if (console.json()) {
    console.document(to_json(known.document));
    co_return Exit::success;
  }
  console.line(console.paint_result(Ink::bold, known.document.id));
  for (const auto& [title, text] : facts_of(known, registry))
    if (!text.empty()) console.line(fmt::format("  {:<16} {}", title, text));
  if (!known.document.installed) console.print(fmt::format("\n{}", known.document.instructions));
  co_return Exit::success;
}

Outcome<Exit> run_list(Invocation& given) { return run_in_workshop(given, list_agents, DaemonsAgents::known); }
Outcome<Exit> run_info(Invocation& given) { return run_in_workshop(given, tell_agent, DaemonsAgents::known); }

constexpr Argument info_arguments[] = {{"AGENT", "its id or another name it has", Argument::Count::one, Completes::agent}};

}  // namespace

extern const Command agents_list_command{
    .name = "agents list",
    .section = Section::agents,
    .summary = "List the agents of this machine: what is installed, from where, and whether there is a key",
    .help =
        "Works with or without a running daemon. Of one that runs it has the agents it was given by command, and says when "
        "that "
        "has other keys.",
    .settings = agents_settings,
    .json = {JsonOutput::Kind::document, "All agents, as GET /v1/agents has them.", schema_of<AgentList>},
    .run = run_list,
    .example = "sandbox-agent agents list"};

extern const Command agents_info_command{
    .name = "agents info",
    .section = Section::agents,
    .summary = "Tell everything that is known of one agent",
    .help = "Also why it cannot be had, and where its keys are looked for.",
    .arguments = info_arguments,
    .settings = agents_settings,
    .json = {JsonOutput::Kind::document, "The agent, as GET /v1/agents/{agent} has it.", schema_of<AgentDocument>},
    .run = run_info,
    .example = "sandbox-agent agents info AGENT"};

}  // namespace sa
