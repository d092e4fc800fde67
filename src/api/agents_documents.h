// The documents of /v1/agents.
#pragma once

#include "agents/credentials.h"
#include "agents/install_job.h"
#include "agents/install_record.h"
#include "agents/manifest.h"
#include "base/shape.h"

namespace sa {

struct InstallDocument {
  std::optional<ArtifactSource> source;
  RegistryState registry = RegistryState::non_registry;
  std::vector<Artifact> artifacts;
  bool verified = false;
  std::optional<long long> verified_at_ms;
  std::optional<long long> installed_at_ms;
  std::optional<std::string> registry_copy_of;
  std::optional<bool> from_bundle;
  std::optional<std::string> problem;
};

template <>
struct Shape<InstallDocument> {
  using D = InstallDocument;
  static constexpr std::string_view name = "AgentInstall";
  static constexpr std::string_view help = "What is installed of an agent and where it came from, or would come from.";
  static constexpr std::tuple fields{
      Field{"source", &D::source,
            "Where the program that speaks ACP is from; for one that is not installed, where it would be."},
      Field{"registry", &D::registry, "What the registry said of the agent; what is known of it without asking, before."},
      Field{"artifacts", &D::artifacts, "What is installed, the program that speaks ACP first."},
      Field{"verified", &D::verified, "Whether it was tried out after the install."},
      Field{"verifiedAtMs", &D::verified_at_ms, "When, in milliseconds since 1970."},
      Field{"installedAtMs", &D::installed_at_ms, "When it was installed, in milliseconds since 1970."},
      Field{"registryCopyOf", &D::registry_copy_of,
            "The registry could not be reached: the time of the copy that was used instead."},
      Field{"fromBundle", &D::from_bundle, "It came from a bundle, without a network."},
      Field{"problem", &D::problem, "Why it cannot be installed here."},
  };
};

enum class OfferOrigin : std::uint8_t { probed, manifest };
template <>
struct Words<OfferOrigin> {
  static constexpr std::string_view all[] = {"probed", "manifest"};
};

struct ChoicesDocument {
  std::optional<std::string> current;
  std::vector<Choice> values;
  OfferOrigin origin = OfferOrigin::manifest;
};

template <>
struct Shape<ChoicesDocument> {
  using D = ChoicesDocument;
  static constexpr std::string_view name = "AgentChoices";
  static constexpr std::string_view help = "What there is to choose from.";
  static constexpr std::tuple fields{
      Field{"current", &D::current, "What holds when nothing is chosen."},
      Field{"values", &D::values, "The choices."},
      Field{"origin", &D::origin, "Whether the agent itself said so, or its manifest."},
  };
};

enum class OptionType : std::uint8_t { select };
template <>
struct Words<OptionType> {
  static constexpr std::string_view all[] = {"select"};
};

// An option as ACP writes it.
struct OptionDocument {
  std::string id;
  std::string name;
  OptionType type = OptionType::select;
  std::optional<std::string> category;
  std::string current_value;
  std::vector<Choice> options;
};

template <>
struct Shape<OptionDocument> {
  using D = OptionDocument;
  static constexpr std::string_view name = "AgentOption";
  static constexpr std::string_view help = "An option of a new conversation, as ACP has it.";
  static constexpr std::tuple fields{
      Field{"id", &D::id, "Its id."},
      Field{"name", &D::name, "As people read it."},
      Field{"type", &D::type, "One of several values."},
      Field{"category", &D::category, "What it is about: model, mode, thought_level or another word."},
      Field{"currentValue", &D::current_value, "What holds when nothing is chosen."},
      Field{"options", &D::options, "The values."},
  };
};

enum class AgentServerStatus : std::uint8_t { running };
template <>
struct Words<AgentServerStatus> {
  static constexpr std::string_view all[] = {"running"};
};

struct AgentServerDocument {
  AgentServerStatus status = AgentServerStatus::running;
  long long uptime_ms = 0;
};

template <>
struct Shape<AgentServerDocument> {
  static constexpr std::string_view name = "AgentServer";
  static constexpr std::string_view help = "The longest running instance of an agent.";
  static constexpr std::tuple fields{
      Field{"status", &AgentServerDocument::status, "It runs."},
      Field{"uptimeMs", &AgentServerDocument::uptime_ms, "For how long, in milliseconds."},
  };
};

struct AgentDocument {
  std::string id;
  std::string name;
  std::optional<std::string> description;
  std::optional<std::string> homepage;
  std::optional<std::string> license;
  std::vector<std::string> aliases;
  bool installed = false;
  bool credentials_available = false;
  CredentialStatus credentials = CredentialStatus::unknown;
  std::optional<std::string> credentials_place;
  std::optional<std::string> version;
  std::optional<std::string> path;
  std::map<std::string, bool> capabilities;
  std::optional<AgentServerDocument> server_status;
  InstallDocument install;
  std::optional<ChoicesDocument> models;
  std::optional<ChoicesDocument> modes;
  std::optional<std::vector<OptionDocument>> config_options;
  std::optional<std::string> config_error;
  std::string instructions;
};

template <>
struct Shape<AgentDocument> {
  using D = AgentDocument;
  static constexpr std::string_view name = "AgentInfo";
  static constexpr std::string_view help = "An agent: a kind of program, not a running one.";
  static constexpr std::tuple fields{
      Field{"id", &D::id, "Its id, for ?agent= and in paths."},
      Field{"name", &D::name, "As people read it."},
      Field{"description", &D::description, "One sentence."},
      Field{"homepage", &D::homepage, "Where to read more."},
      Field{"license", &D::license, "Under which terms it may be used."},
      Field{"aliases", &D::aliases, "Other ids it is found under."},
      Field{"installed", &D::installed, "Whether it can be started without installing anything."},
      Field{"credentialsAvailable", &D::credentials_available, "False when it needs credentials and none were found."},
      Field{"credentials", &D::credentials, "Whether its credentials were found; never what they are."},
      Field{"credentialsPlace", &D::credentials_place, "The variable or file they are in."},
      Field{"version", &D::version, "Of the program that speaks ACP."},
      Field{"path", &D::path, "What is started."},
      Field{"capabilities", &D::capabilities, "What it can do."},
      Field{"serverStatus", &D::server_status, "When an instance of it runs."},
      Field{"install", &D::install, "What is installed of it."},
      Field{"models", &D::models, "Of one that is installed."},
      Field{"modes", &D::modes, "Of one that is installed."},
      Field{"configOptions", &D::config_options, "With config=true: what it offers in a new conversation."},
      Field{"configError", &D::config_error, "With config=true: why it could not be asked."},
      Field{"instructions", &D::instructions, "How a person gets it to run."},
  };
};

struct AgentList {
  std::vector<AgentDocument> agents;
};

template <>
struct Shape<AgentList> {
  static constexpr std::string_view name = "AgentList";
  static constexpr std::string_view help = "All agents.";
  static constexpr std::tuple fields{Field{"agents", &AgentList::agents, "Those most likely wanted first."}};
};

struct InstallRequest {
  std::optional<bool> reinstall;
  std::optional<std::string> agent_version;
  std::optional<std::string> agent_process_version;
};

template <>
struct Shape<InstallRequest> {
  using D = InstallRequest;
  static constexpr std::string_view name = "AgentInstallRequest";
  static constexpr std::string_view help = "What to install. Everything may be left out, the body too.";
  static constexpr std::tuple fields{
      Field{"reinstall", &D::reinstall, "Install again what is installed."},
      Field{"agentVersion", &D::agent_version, "The version of the tool the agent needs; without such a tool, of the agent."},
      Field{"agentProcessVersion", &D::agent_process_version, "The version of the program that speaks ACP."},
  };
};

struct InstalledDocument {
  bool already_installed = false;
  std::vector<Artifact> artifacts;
  std::optional<std::string> registry_copy_of;
};

template <>
struct Shape<InstalledDocument> {
  using D = InstalledDocument;
  static constexpr std::string_view name = "AgentInstalled";
  static constexpr std::string_view help = "The outcome of an install.";
  static constexpr std::tuple fields{
      Field{"already_installed", &D::already_installed, "There was nothing to do."},
      Field{"artifacts", &D::artifacts, "What is installed, the program that speaks ACP first."},
      Field{"registryCopyOf", &D::registry_copy_of,
            "The registry could not be reached: the time of the copy that was used instead."},
  };
};

inline InstalledDocument installed_document(const InstallOutcome& outcome) {
  return {outcome.already_installed, outcome.record.artifacts, outcome.record.registry_copy_of};
}

}  // namespace sa
