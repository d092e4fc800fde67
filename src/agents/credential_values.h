// Credentials themselves, for those who ask for them by name: read on every call, never kept, never logged. Whoever shows them
// uses redacted(). Reads a few small files: for a worker thread where the disk may be slow.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/credentials.h"

namespace sa {

struct CredentialValue {
  std::string agent;     // its id
  std::string variable;  // the name the agent reads it under
  std::string value;
  CredentialKind kind{};
  std::string place;  // the variable that has it, or the file as the manifest writes it
};

// What an agent would find: its variables first, then what is in the files it keeps. One value per variable, the first.
std::vector<CredentialValue> read_credentials(const Manifest& manifest, const Environment& environment,
                                              const std::string& home);

// Enough to recognise it by: "sk-a… (51 characters)". Of a short one only the length.
std::string redacted(std::string_view value);

// A variable that holds a provider's key, without the key.
struct ProviderState {
  std::string variable;
  CredentialStatus state = CredentialStatus::missing;  // found or missing
  std::optional<CredentialKind> kind;                  // when found: where,
  std::optional<std::string> place;                    // and its name
  std::vector<std::string> agents;                     // that read it
};

template <>
struct Shape<ProviderState> {
  using E = ProviderState;
  static constexpr std::string_view name = "ProviderState";
  static constexpr std::string_view help = "A provider's key: whether there is one, never what it is.";
  static constexpr std::tuple fields{
      Field{"variable", &E::variable, "The variable agents read it from."},
      Field{"state", &E::state, "found or missing."},
      Field{"kind", &E::kind, "Where it was found: env or file."},
      Field{"place", &E::place, "The variable or file that has it."},
      Field{"agents", &E::agents, "The agents that read it."},
  };
};

// In the order of the agents given, those that come with one agent by name.
std::vector<ProviderState> providers(std::span<const Manifest* const> agents, const Environment& environment,
                                     const std::string& home);

}  // namespace sa
