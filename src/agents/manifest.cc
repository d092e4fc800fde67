#include "agents/manifest.h"

#include <algorithm>

#include "base/shape_read.h"

namespace sa {
namespace {

constexpr std::size_t longest_id = 64;
constexpr std::size_t longest_version = 64;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

Result<void> check_names(const std::map<std::string, std::string>& variables, const JsonPlace& place) {
  for (const auto& [name, value] : variables)
    if (!is_variable_name(name)) return fail(misshapen(place.at(name), "be named with letters, digits and '_'"));
  return {};
}

Result<void> check_source(const NpmSource& source, const JsonPlace& place) {
  if (source.package.empty()) return fail(misshapen(place.at("package"), "be given: the name of the package"));
  if (!is_version(source.version)) return fail(misshapen(place.at("version"), "be given: the exact version"));
  return {};
}

Result<void> check_credentials(const CredentialPlaces& places, const JsonPlace& place) {
  const JsonPlace values = place.at("values");
  for (std::size_t i = 0; i < places.values.size(); ++i) {
    const CredentialInFile& value = places.values[i];
    if (!value.file.contains('/')) return fail(misshapen(values.at(i).at("file"), "be given: the path of a file"));
    if (!value.pointer.starts_with('/'))
      return fail(misshapen(values.at(i).at("pointer"), "be given: a JSON pointer that begins with '/'"));
    if (!is_variable_name(value.variable))
      return fail(misshapen(values.at(i).at("variable"), "be named with letters, digits and '_'"));
  }
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
  if (manifest.process && !manifest.process->npm && manifest.registry.empty())
    return fail(misshapen(top.at("process").at("npm"), "be given, or 'registry': where the program comes from"));
  TRY_VOID(check_names(manifest.env, top.at("env")));
  if (manifest.process) {
    TRY_VOID(check_names(manifest.process->env, top.at("process").at("env")));
    if (manifest.process->npm) TRY_VOID(check_source(*manifest.process->npm, top.at("process").at("npm")));
  }
  if (manifest.native) {
    const JsonPlace native = top.at("native");
    if (manifest.native->program.empty() || manifest.native->program.contains('/'))
      return fail(misshapen(native.at("program"), "be given: the tool's name on PATH"));
    if (manifest.native->npm) TRY_VOID(check_source(*manifest.native->npm, native.at("npm")));
  }
  if (manifest.credentials) TRY_VOID(check_credentials(*manifest.credentials, top.at("credentials")));
  return manifest;
}

}  // namespace

const std::vector<std::string_view> capability_names = {
    "planMode",         "permissions",     "questions",        "toolCalls",       "toolResults", "textMessages",
    "images",           "fileAttachments", "sessionLifecycle", "errorEvents",     "reasoning",   "status",
    "commandExecution", "fileChanges",     "mcpTools",         "streamingDeltas", "itemStarted", "sharedProcess"};

bool is_agent_id(std::string_view id) {
  const auto fits = [](char c) { return is_word(c) || c == '.' || c == '_' || c == '-'; };
  return !id.empty() && id.size() <= longest_id && is_word(id.front()) && std::ranges::all_of(id, fits);
}

bool is_variable_name(std::string_view name) {
  const auto fits = [](char c) { return is_word(c) || c == '_'; };
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') && std::ranges::all_of(name, fits);
}

bool is_version(std::string_view text) {
  const auto fits = [](char c) { return is_word(c) || c == '.' || c == '+' || c == '-' || c == '_'; };
  return !text.empty() && text.size() <= longest_version && is_word(text.front()) && std::ranges::all_of(text, fits);
}

Result<Manifest> read_manifest(std::string_view json) {
  TRY(const auto value, parse_json(json));
  TRY(Manifest manifest, from_json<Manifest>(value));
  return check(std::move(manifest));
}

}  // namespace sa
