#include "daemon/startup_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include "agents/credentials.h"
#include "agents/start.h"
#include "base/utf8.h"
#include "base/version.h"
#include "base/write_all.h"
#include "daemon/places.h"

namespace sa {
namespace {

bool is_any(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

// "claude ✓ installed, key found": what of an agent matters to somebody who wants to use it.
std::string agent_text(const Agents& all, const Agent& agent) {
  const Manifest& manifest = agent.manifest;
  const Presence presence = look_at(agent, all.store, all.surroundings);
  if (agent.origin == AgentOrigin::command_line) return manifest.id + " by command";
  if (!presence.installed) return "";
  const bool built_in = presence.record && presence.record->artifacts.front().source == ArtifactSource::builtin;
  if (built_in) return manifest.id + " built in";
  const auto credentials = find_credentials(manifest, all.surroundings).state;
  return manifest.id + " ✓ installed" +
         (credentials == CredentialStatus::found     ? ", key found"
          : credentials == CredentialStatus::missing ? ", no key found"
                                                     : "");
}

std::string agents_text(const Agents& agents) {
  std::vector<std::string> parts;
  std::size_t others = 0;
  for (const AgentPtr& agent : agents.catalog.agents()) {
    std::string words = agent_text(agents, *agent);
    if (words.empty()) {
      ++others;
    } else {
      parts.push_back(std::move(words));
    }
  }
  if (others > 0)
    parts.push_back(fmt::format("{} more {}", others, agents.require_preinstall ? "not installed" : "installed when used"));
  return fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace

std::string url_of(const std::string& host, std::uint16_t port) {
  const bool any = is_any(host);
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}", any ? "127.0.0.1" : v6 ? "[" + host + "]" : host, port);
}

std::string startup_text(const std::string& url, const Token& token, bool stored, const Agents& agents,
                         const Settings& settings) {
  std::string text = fmt::format("sandbox-agent {} listening on {}{}\n", version, url,
                                 is_any(settings.host) ? " and every other address of this machine" : "");
  text += fmt::format("  inspector   {}/ui/{}\n", url, token.generated ? "#token=" + token.value : "");
  text += fmt::format("  token       {}", token.source);
  if (token.generated) text += stored ? ", stored for `sandbox-agent ui`" : " for this run, not stored";
  text += fmt::format("\n  agents      {}\n", agents_text(agents));
  text += fmt::format("  data        {}            logs: {}\n", data_directory(),
                      settings.log_file.empty() ? "stderr" : settings.log_file);
  if (!settings.fs_root.empty()) text += fmt::format("  files       confined to {}\n", settings.fs_root);
  return text;
}

std::string ready_line(const std::string& url, std::uint16_t port, const Token& token) {
  ReadyDocument ready{.url = url, .port = port, .pid = ::getpid(), .version = std::string(version)};
  if (token.generated) ready.token = token.value;
  return to_json(ready) + "\n";
}

std::string port_taken_sentence(std::uint16_t port) { return fmt::format("port {} is already in use", port); }

void print_error(std::string_view what, std::string_view why, std::string_view what_to_do) {
  std::string text = fmt::format("error: {}\n", what);
  if (!why.empty()) text += fmt::format("  {}\n", why);
  if (!what_to_do.empty()) text += fmt::format("  try: {}\n", what_to_do);
  (void)write_all(STDERR_FILENO, text);
}

}  // namespace sa
