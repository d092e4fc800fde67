#include "daemon/startup_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/version.h"
#include "daemon/places.h"

namespace sa {
namespace {

bool is_any(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

std::string agents_text(const std::vector<KnownAgent>& agents) {
  std::string text;
  for (const KnownAgent& agent : agents) {
    if (!text.empty()) text += " · ";
    switch (agent.source) {
      case AgentSource::builtin: text += "demo built in (" + agent.id + ")"; break;
      case AgentSource::local_path: text += agent.id + " ✓ installed"; break;
      case AgentSource::custom: text += agent.id + " by command"; break;
    }
  }
  return text;
}

}  // namespace

std::string url_of(const std::string& host, std::uint16_t port) {
  const bool any = is_any(host);
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}", any ? "127.0.0.1" : v6 ? "[" + host + "]" : host, port);
}

std::string startup_text(const std::string& url, const Token& token, const std::string& state_file,
                         const std::vector<KnownAgent>& agents, const Settings& settings) {
  std::string text = fmt::format("sandbox-agent {} listening on {}{}\n", version, url,
                                 is_any(settings.host) ? " and every other address of this machine" : "");
  text += fmt::format("  inspector   {}/ui/{}\n", url, token.generated ? "#token=" + token.value : "");
  text += fmt::format("  token       {}", token.source);
  if (token.generated) text += state_file.empty() ? " for this run, not stored" : " for this run, stored in " + state_file;
  text += fmt::format("\n  agents      {}\n", agents_text(agents));
  text += fmt::format("  data        {}            logs: {}\n", data_directory(),
                      settings.log_file.empty() ? "stderr" : settings.log_file);
  if (!settings.fs_root.empty()) text += fmt::format("  files       confined to {}\n", settings.fs_root);
  return text;
}

std::string ready_line(const std::string& url, std::uint16_t port, const Token& token) {
  std::string line = "{\"event\":\"ready\",\"url\":";
  append_json_string(line, url);
  line += fmt::format(",\"port\":{},\"pid\":{},\"version\":\"{}\"", port, ::getpid(), version);
  if (token.generated) line += fmt::format(",\"token\":\"{}\"", token.value);
  return line + "}\n";
}

void print_error(std::string_view what, std::string_view why, std::string_view what_to_do) {
  fmt::print(stderr, "error: {}\n", what);
  if (!why.empty()) fmt::print(stderr, "  {}\n", why);
  if (!what_to_do.empty()) fmt::print(stderr, "  try: {}\n", what_to_do);
}

}  // namespace sa
