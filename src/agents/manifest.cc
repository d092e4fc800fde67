#include "agents/manifest.h"

#include <algorithm>

#include "base/shape_read.h"

namespace sa {
namespace {

constexpr std::size_t longest_id = 64;

Result<void> check_source(const NpmSource& source, const JsonPlace& place) {
  if (source.package.empty()) return fail(misshapen(place.at("package"), "be given: the name of the package"));
  if (source.version.empty()) return fail(misshapen(place.at("version"), "be given: the exact version"));
  return {};
}

// What the shapes cannot say.
Result<Manifest> check(Manifest manifest) {
  const JsonPlace top;
  if (!is_agent_id(manifest.id))
    return fail(misshapen(top.at("id"), "be 1 to 64 letters, digits, '.', '_' or '-', and begin with a letter or digit"));
  if (manifest.name.empty()) return fail(misshapen(top.at("name"), "be given: the name people read"));
  for (std::size_t i = 0; i < manifest.aliases.size(); ++i)
    if (!is_agent_id(manifest.aliases[i])) return fail(misshapen(top.at("aliases").at(i), "be an id"));
  for (const auto& [name, able] : manifest.capabilities)
    if (std::ranges::find(capability_names, name) == capability_names.end())
      return fail(misshapen(top.at("capabilities").at(name), "be one of the capabilities the API knows"));
  const bool installable = manifest.process || !manifest.registry.empty();
  if (manifest.command.empty() && !installable)
    return fail(misshapen(top.at("command"), "be given, or 'process' or 'registry': how to start it"));
  if (!manifest.command.empty() && installable)
    return fail(misshapen(top.at("command"), "not be given together with 'process' or 'registry'"));
  if (manifest.process && manifest.process->npm) {
    if (auto fine = check_source(*manifest.process->npm, top.at("process").at("npm")); !fine) return fail(fine.error());
  }
  if (manifest.native && manifest.native->program.empty())
    return fail(misshapen(top.at("native").at("program"), "be given: the tool's name on PATH"));
  if (manifest.native && manifest.native->npm) {
    if (auto fine = check_source(*manifest.native->npm, top.at("native").at("npm")); !fine) return fail(fine.error());
  }
  return manifest;
}

}  // namespace

const std::vector<std::string_view> capability_names = {
    "planMode",         "permissions",     "questions",        "toolCalls",       "toolResults", "textMessages",
    "images",           "fileAttachments", "sessionLifecycle", "errorEvents",     "reasoning",   "status",
    "commandExecution", "fileChanges",     "mcpTools",         "streamingDeltas", "itemStarted", "sharedProcess"};

bool is_agent_id(std::string_view id) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  const auto fits = [&](char c) { return is_word(c) || c == '.' || c == '_' || c == '-'; };
  return !id.empty() && id.size() <= longest_id && (is_word(id.front()) || id.front() == '_') && std::ranges::all_of(id, fits);
}

Result<Manifest> read_manifest(std::string_view json) {
  TRY(const auto value, parse_json(json));
  TRY(Manifest manifest, from_json<Manifest>(value));
  return check(std::move(manifest));
}

}  // namespace sa
