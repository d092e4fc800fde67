#include "agents/instructions.h"

#include <fmt/format.h>

namespace sa {
namespace {

std::string source_words(const Manifest& manifest) {
  std::string words;
  if (!manifest.registry.empty()) words = fmt::format("the ACP registry's '{}'", manifest.registry.front());
  if (manifest.process && manifest.process->npm) {
    const NpmSource& npm = *manifest.process->npm;
    words += fmt::format("{}the npm package {}@{}", words.empty() ? "" : ", else ", npm.package, npm.version);
  }
  return words;
}

std::string native_words(const NativeSource& native) {
  if (native.npm)
    return fmt::format("It needs the program '{}': the one that is there, else the npm package {}@{}.", native.program,
                       native.npm->package, native.npm->version);
  return fmt::format("It needs the program '{}'. {}", native.program, native.how);
}

std::string credential_words(const CredentialPlaces& places) {
  if (!places.needed) return "It needs no credentials.";
  std::vector<std::string> names;
  for (const CredentialVariable& variable : places.variables) {
    names.push_back(variable.name);
    names.insert(names.end(), variable.aliases.begin(), variable.aliases.end());
  }
  std::string words = names.empty() ? "" : fmt::format("Set {}", fmt::join(names, " or "));
  if (!places.files.empty())
    words += fmt::format("{} sign in with the agent's own tool, which keeps {}", words.empty() ? "For credentials" : ", or",
                         fmt::join(places.files, " or "));
  return words.empty() ? "" : words + ".";
}

// As somebody would type it: {self} stands for this program.
std::string command_words(std::vector<std::string> command) {
  if (command.front() == "{self}") command.front() = "sandbox-agent";
  return fmt::format("{}", fmt::join(command, " "));
}

}  // namespace

std::string install_instructions(const Manifest& manifest) {
  std::vector<std::string> lines;
  if (!manifest.command.empty()) {
    lines.push_back(fmt::format("Nothing to install: it is started as `{}`.", command_words(manifest.command)));
  } else {
    const std::string source = source_words(manifest);
    lines.push_back(fmt::format("Install it with `sandbox-agent agents install {}` or POST /v1/agents/{}/install{}{}.",
                                manifest.id, manifest.id, source.empty() ? "" : ": ", source));
    if (manifest.process && manifest.process->npm)
      lines.push_back(fmt::format(
          "npm and Node.js must be on PATH.{}",
          manifest.process->npm->node.empty()
              ? ""
              : fmt::format(" Node.js older than {} gets a newer one beside the agent.", manifest.process->npm->node)));
  }
  if (!manifest.unavailable.empty()) lines.push_back(manifest.unavailable);
  if (manifest.native) lines.push_back(native_words(*manifest.native));
  if (manifest.credentials) lines.push_back(credential_words(*manifest.credentials));
  std::string text;
  for (const std::string& line : lines)
    if (!line.empty()) text += line + "\n";
  return text;
}

}  // namespace sa
