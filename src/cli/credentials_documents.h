// What the `credentials` commands print with --json. Values and their shapes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agents/credential_values.h"

namespace sa {

struct AgentCredentials {
  std::string agent;
  CredentialStatus state = CredentialStatus::unknown;
  std::optional<CredentialKind> kind;
  std::optional<std::string> place;
};

template <>
struct Shape<AgentCredentials> {
  using D = AgentCredentials;
  static constexpr std::string_view name = "AgentCredentials";
  static constexpr std::string_view help = "Whether an agent finds credentials, never what they are.";
  static constexpr std::tuple fields{
      Field{"agent", &D::agent, "Its id."},
      Field{"state", &D::state, "Whether credentials were found."},
      Field{"kind", &D::kind, "Where: env or file."},
      Field{"place", &D::place, "The variable or file that has them."},
  };
};

struct CredentialsReport {
  std::vector<ProviderState> providers;
  std::vector<AgentCredentials> agents;
};

template <>
struct Shape<CredentialsReport> {
  using D = CredentialsReport;
  static constexpr std::string_view name = "CredentialsReport";
  static constexpr std::string_view help = "Which keys there are, never what they are.";
  static constexpr std::tuple fields{
      Field{"providers", &D::providers, "By the variable that holds a key."},
      Field{"agents", &D::agents, "By agent."},
  };
};

struct CredentialDocument {
  std::string agent;
  std::string variable;
  CredentialKind kind{};
  std::string place;
  std::string value;
  bool redacted = true;
};

template <>
struct Shape<CredentialDocument> {
  using D = CredentialDocument;
  static constexpr std::string_view name = "Credential";
  static constexpr std::string_view help = "A credential that was found.";
  static constexpr std::tuple fields{
      Field{"agent", &D::agent, "An agent that reads it."},
      Field{"variable", &D::variable, "The variable the agent reads it from."},
      Field{"kind", &D::kind, "Where it was found: env or file."},
      Field{"place", &D::place, "The variable or file that has it."},
      Field{"value", &D::value, "What it is, or enough to recognise it by."},
      Field{"redacted", &D::redacted, "Whether the value is only that."},
  };
};

struct CredentialsDocument {
  std::vector<CredentialDocument> credentials;
};

template <>
struct Shape<CredentialsDocument> {
  static constexpr std::string_view name = "Credentials";
  static constexpr std::string_view help = "The credentials that were found.";
  static constexpr std::tuple fields{Field{"credentials", &CredentialsDocument::credentials, "In the order of the agents."}};
};

struct CredentialVariables {
  std::map<std::string, std::string> variables;
};

template <>
struct Shape<CredentialVariables> {
  static constexpr std::string_view name = "CredentialVariables";
  static constexpr std::string_view help = "Credentials as variables of an environment.";
  static constexpr std::tuple fields{Field{"variables", &CredentialVariables::variables, "Values by name. They are secrets."}};
};

}  // namespace sa
