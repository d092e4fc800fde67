// `sandbox-agent credentials …`: the keys agents would find on this machine. Values are shown only to who asks for them.
#include <fmt/format.h>

#include <algorithm>

#include "api/schema.h"
#include "base/shell_words.h"
#include "cli/agent_ready.h"
#include "cli/agents_workshop.h"
#include "cli/commands.h"
#include "cli/credentials_documents.h"
#include "cli/environment.h"
#include "cli/text_table.h"
#include "daemon/places.h"

namespace sa {
namespace {

// All agents, or the one that --agent names.
Outcome<std::vector<AgentPtr>> agents_meant(Invocation& given, const std::string& only) {
  TRY(const Settings credentials_settings, given.settings());
  TRY(auto known, all_known_agents(given.console(), credentials_settings));
  const Catalog catalog(std::move(known), Store(data_directory()));
  if (only.empty()) return catalog.agents();
  TRY(AgentPtr agent, find_agent(catalog, only));
  return std::vector<AgentPtr>{std::move(agent)};
}

CredentialsReport report_of(const std::vector<AgentPtr>& agents) {
  std::vector<const Manifest*> manifests;
  CredentialsReport report;
  for (const AgentPtr& agent : agents) {
    manifests.push_back(&agent->manifest);
    const CredentialState found = find_credentials(agent->manifest, from_environment, home_directory());
    AgentCredentials row{.agent = agent->manifest.id, .state = found.state};
    if (found.place) {
      row.kind = found.place->kind;
      row.place = found.place->name;
    }
    report.agents.push_back(std::move(row));
  }
  report.providers = providers(manifests, from_environment, home_directory());
  return report;
}

Cell state_cell(CredentialStatus state) {
  std::string text(word_of(state));
  std::ranges::replace(text, '_', ' ');
  return {std::move(text), state == CredentialStatus::found     ? Ink::green
                           : state == CredentialStatus::missing ? Ink::yellow
                                                                : Ink::plain};
}

std::string place_text(const std::optional<CredentialKind>& kind, const std::optional<std::string>& place) {
  return kind && place ? fmt::format("{} {}", word_of(*kind), *place) : "-";
}

Outcome<Exit> tell_credentials(Invocation& given) {
  TRY(const auto agents, agents_meant(given, ""));
  const CredentialsReport report = report_of(agents);
  Console& console = given.console();
  tell_other_keys(console);
  if (console.json()) {
    console.document(to_json(report));
    return Exit::success;
  }
  std::vector<TableRow> rows;
  rows.reserve(report.providers.size() + report.agents.size());
  for (const ProviderState& row : report.providers)
    rows.push_back({{row.variable, Ink::bold},
                    state_cell(row.state),
                    {place_text(row.kind, row.place)},
                    {fmt::format("{}", fmt::join(row.agents, ", "))}});
  constexpr std::string_view head[] = {"VARIABLE", "STATE", "FOUND IN", "READ BY"};
  print_table(console, head, rows);
  rows.clear();
  for (const AgentCredentials& row : report.agents)
    rows.push_back({{row.agent, Ink::bold}, state_cell(row.state), {place_text(row.kind, row.place)}});
  constexpr std::string_view agents_head[] = {"AGENT", "STATE", "FOUND IN"};
  console.line("");
  print_table(console, agents_head, rows);
  return Exit::success;
}

// The variables to set for these agents, the first few of them.
std::vector<std::string> variables_of(const std::vector<AgentPtr>& agents) {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;
  for (const AgentPtr& agent : agents)
    if (agent->manifest.credentials)
      for (const CredentialVariable& variable : agent->manifest.credentials->variables)
        if (names.size() < most && std::ranges::find(names, variable.name) == names.end()) names.push_back(variable.name);
  return names;
}

Failure nothing_found(const std::vector<AgentPtr>& agents, const std::string& only) {
  const std::vector<std::string> names = variables_of(agents);
  return {.exit = Exit::authentication,
          .what = only.empty() ? "no credentials were found" : fmt::format("no credentials of '{}' were found", only),
          .why = names.empty() ? "no variable is known to hold one"
                               : fmt::format("looked for {} and the files agents keep", fmt::join(names, ", ")),
          .what_to_do = names.empty() ? "sandbox-agent credentials status" : fmt::format("export {}=…", names.front())};
}

// At least one. Failure: authentication.
Outcome<std::vector<CredentialValue>> found_values(Invocation& given) {
  const std::string only = given.value("--agent");
  TRY(const auto agents, agents_meant(given, only));
  std::vector<CredentialValue> values;
  for (const AgentPtr& agent : agents)
    for (CredentialValue& value : read_credentials(agent->manifest, from_environment, home_directory()))
      values.push_back(std::move(value));
  if (values.empty()) return failed(nothing_found(agents, only));
  return values;
}

void warn_of_secrets(Console& console) {
  if (console.result_is_terminal()) console.warn("these are secrets: they stay in this terminal's history");
}

Outcome<Exit> extract(Invocation& given) {
  TRY(const auto values, found_values(given));
  const bool reveal = given.has("--reveal");
  Console& console = given.console();
  if (reveal) warn_of_secrets(console);
  CredentialsDocument document;
  std::vector<TableRow> rows;
  for (const CredentialValue& found : values) {
    const std::string shown = reveal ? found.value : redacted(found.value);
    rows.push_back({{found.variable, Ink::bold}, {found.agent}, {place_text(found.kind, found.place)}, {shown}});
    document.credentials.push_back({.agent = found.agent,
                                    .variable = found.variable,
                                    .kind = found.kind,
                                    .place = found.place,
                                    .value = shown,
                                    .redacted = !reveal});
  }
  constexpr std::string_view head[] = {"VARIABLE", "AGENT", "FOUND IN", "VALUE"};
  if (console.json()) {
    console.document(to_json(document));
  } else {
    print_table(console, head, rows);
  }
  return Exit::success;
}

Outcome<Exit> extract_env(Invocation& given) {
  TRY(const auto values, found_values(given));
  Console& console = given.console();
  warn_of_secrets(console);
  CredentialVariables document;
  const std::string_view before = given.has("--export") ? "export " : "";
  for (const CredentialValue& found : values) {
    const bool first = document.variables.emplace(found.variable, found.value).second;
    if (first && !console.json()) console.line(fmt::format("{}{}={}", before, found.variable, shell_quoted(found.value)));
  }
  if (console.json()) console.document(to_json(document));
  return Exit::success;
}

constexpr std::string_view credentials_settings[] = {"--agents-dir"};
constexpr Option only_agent{"--agent", "-a", "AGENT", "only what this agent reads", Completes::agent};
constexpr Option extract_options[] = {only_agent, {"--reveal", "", "", "show the values themselves"}};
constexpr Option extract_env_options[] = {only_agent, {"--export", "", "", "'export ' in front of each line"}};

}  // namespace

extern const Command credentials_status_command{
    .name = "credentials status",
    .section = Section::agents,
    .summary = "Tell which keys agents would find here, and where; never what they are",
    .settings = credentials_settings,
    .json = {JsonOutput::Kind::document, "Keys by variable and by agent.", schema_of<CredentialsReport>},
    .run = tell_credentials,
    .example = "sandbox-agent credentials status"};

extern const Command credentials_extract_command{
    .name = "credentials extract",
    .section = Section::agents,
    .summary = "List the keys that were found, without their values unless they are asked for",
    .options = extract_options,
    .settings = credentials_settings,
    .json = {JsonOutput::Kind::document, "The credentials that were found.", schema_of<CredentialsDocument>},
    .run = extract,
    .example = "sandbox-agent credentials extract --json"};

extern const Command credentials_extract_env_command{
    .name = "credentials extract-env",
    .section = Section::agents,
    .summary = "Print the keys that were found as NAME=value lines for a shell",
    .help = "The values are secrets: send them where they are needed, not to a screen.",
    .options = extract_env_options,
    .settings = credentials_settings,
    .json = {JsonOutput::Kind::document, "The values by name.", schema_of<CredentialVariables>},
    .run = extract_env,
    .example = "eval \"$(sandbox-agent credentials extract-env --export)\""};

}  // namespace sa
