#include "agents/credentials.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/unique_fd.h"
#include "base/utf8.h"

namespace sa {
namespace {

bool is_set(const std::optional<std::string>& value) { return value && !is_blank(*value); }

// A readable regular file that is not empty. Some agents keep an empty JSON object while nobody has signed in.
bool has_content(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  char beginning[4096];  // blanks may come first
  const ssize_t length = ::read(file.get(), beginning, sizeof beginning);
  std::string content(beginning, length > 0 ? static_cast<std::size_t>(length) : 0);
  std::erase_if(content, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  return !content.empty() && content != "{}";
}

}  // namespace

std::vector<std::string> spellings(const CredentialVariable& variable) {
  std::vector<std::string> all = {variable.name};
  all.insert(all.end(), variable.aliases.begin(), variable.aliases.end());
  return all;
}

std::optional<std::string> credential_path(std::string_view file, const Environment& environment, const std::string& home) {
  const std::size_t slash = file.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view top = file.substr(0, slash);
  std::string below(file.substr(slash));
  if (top.empty()) return below;
  if (top == "~") return home.empty() ? std::nullopt : std::optional(home + below);
  if (!top.starts_with('$')) return std::nullopt;
  const auto directory = environment(top.substr(1));
  return is_set(directory) ? std::optional(*directory + below) : std::nullopt;
}

CredentialState find_credentials(const Manifest& manifest, const Environment& environment, const std::string& home) {
  if (!manifest.credentials) return {CredentialStatus::unknown, {}};
  const CredentialPlaces& places = *manifest.credentials;
  if (!places.needed) return {CredentialStatus::not_needed, {}};
  if (places.variables.empty() && places.files.empty()) return {CredentialStatus::unknown, {}};
  for (const CredentialVariable& variable : places.variables)
    for (const std::string& name : spellings(variable))
      if (is_set(environment(name))) return {CredentialStatus::found, CredentialPlace{CredentialKind::env, name}};
  for (const std::string& file : places.files) {
    const auto path = credential_path(file, environment, home);
    if (path && has_content(*path)) return {CredentialStatus::found, CredentialPlace{CredentialKind::file, file}};
  }
  return {CredentialStatus::missing, {}};
}

CredentialState find_credentials(const Manifest& manifest, const Surroundings& surroundings) {
  const Environment environment = [&](std::string_view name) -> std::optional<std::string> {
    return variable_in(surroundings.environment, name);
  };
  return find_credentials(manifest, environment, surroundings.home);
}

void hand_over_credentials(const Manifest& manifest, std::vector<std::string>& environment) {
  if (!manifest.credentials) return;
  for (const CredentialVariable& variable : manifest.credentials->variables) {
    for (const std::string& name : spellings(variable)) {
      const std::string value = variable_in(environment, name);
      if (is_blank(value)) continue;
      if (name != variable.name) set_variable(environment, variable.name, value);
      break;
    }
  }
}

}  // namespace sa
