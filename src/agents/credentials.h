// Where an agent's credentials are, never what they are, and handing them over under the name the agent reads. Nothing is kept.
// Looking for files takes a few stat() calls: for a worker thread where the disk may be slow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/manifest.h"
#include "agents/surroundings.h"
#include "base/settings.h"

namespace sa {

enum class CredentialStatus : std::uint8_t { found, missing, not_needed, unknown };
template <>
struct Words<CredentialStatus> {
  static constexpr std::string_view all[] = {"found", "missing", "not_needed", "unknown"};
};

enum class CredentialKind : std::uint8_t { env, file };
template <>
struct Words<CredentialKind> {
  static constexpr std::string_view all[] = {"env", "file"};
};

struct CredentialPlace {
  CredentialKind kind{};
  std::string name;  // the variable that has it, or the file as the manifest writes it
};

struct CredentialState {
  CredentialStatus state = CredentialStatus::unknown;
  std::optional<CredentialPlace> place;  // when found: the first of the manifest's
};

// Unknown when the manifest names no place. A blank variable and an empty or unreadable file count as missing.
CredentialState find_credentials(const Manifest& manifest, const Environment& environment, const std::string& home);

// The same in the surroundings agents are started in.
CredentialState find_credentials(const Manifest& manifest, const Surroundings& surroundings);

// The name an agent reads, then its aliases.
std::vector<std::string> spellings(const CredentialVariable& variable);

// Where a file of a manifest ('~/…', '$NAME/…') is; nullopt when what it stands below is not known.
std::optional<std::string> credential_path(std::string_view file, const Environment& environment, const std::string& home);

// Where an agent's variable is unset or blank in a list of NAME=value and one of its aliases is not: gives it that value.
void hand_over_credentials(const Manifest& manifest, std::vector<std::string>& environment);

}  // namespace sa
