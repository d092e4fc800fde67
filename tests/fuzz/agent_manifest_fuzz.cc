// The input is a manifest, or what --agent is given. Held: a manifest that is taken has ids, names of variables and versions
// that can be file names, variables and arguments; written anew it is the same manifest; a refusal names the member at fault.
#include <algorithm>
#include <string>

#include "agents/catalog.h"
#include "agents/manifest.h"
#include "base/shape_read.h"
#include "documents.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

bool consists_of(std::string_view text, std::string_view marks) {
  return std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.contains(c);
  });
}

void hold_id(std::string_view id) {
  hold(!id.empty() && id.size() <= 64 && consists_of(id, "._-"), "an id can be a file's name");
  hold(consists_of(id.substr(0, 1), ""), "and neither hidden nor an option");
}

void hold_variable(std::string_view name) {
  hold(!name.empty() && consists_of(name, "_") && (name[0] < '0' || name[0] > '9'), "a variable has a name a shell can set");
}

void hold_source(const std::optional<NpmSource>& source) {
  if (!source) return;
  hold(!source->package.empty(), "a package has a name");
  hold(!source->version.empty() && consists_of(source->version, ".+-_"), "a version is no path and no address");
}

void check_manifest(const Manifest& manifest) {
  hold_id(manifest.id);
  for (const std::string& alias : manifest.aliases) hold_id(alias);
  hold(!manifest.name.empty(), "an agent has a name");
  for (const auto& [name, value] : manifest.env) hold_variable(name);
  const bool installable = manifest.process || !manifest.registry.empty();
  hold(manifest.command.empty() == installable, "there is one way to start it");
  if (manifest.process) {
    for (const auto& [name, value] : manifest.process->env) hold_variable(name);
    hold_source(manifest.process->npm);
  }
  if (manifest.native) {
    hold(!manifest.native->program.empty() && !manifest.native->program.contains('/'), "a tool is a name on PATH");
    hold_source(manifest.native->npm);
  }
  if (manifest.credentials)
    for (const CredentialInFile& value : manifest.credentials->values) hold_variable(value.variable);
  hold_stable(manifest, read_manifest);
}

void check_flag(const std::string& text) {
  const auto manifest = parse_agent_flag(text);
  if (!manifest) return;
  hold_id(manifest->id);
  hold(text.starts_with(manifest->id + "=") && !manifest->command.empty(), "what is given is an id and a command");
}

void check(std::string_view text) {
  check_flag(std::string(text));
  const auto manifest = read_manifest(text);
  if (manifest) return check_manifest(*manifest);
  hold_refusal(manifest.error());
  hold(manifest.error().code == ErrorCode::invalid_request || !manifest.error().extra("field").empty(), "it names the member");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
