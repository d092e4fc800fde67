#include "agents/catalog.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/utf8.h"
#include "base/words.h"

namespace sa {
namespace {

constexpr std::string_view launcher_suffix = "-acp";
constexpr char demo_agent[] = "mock";
constexpr std::size_t most_suggestions = 5;

// Ids become file names; nothing else may.
bool is_agent_id(std::string_view id) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  return !id.empty() && id.size() <= 64 && id.front() != '.' && id.front() != '-' && std::ranges::all_of(id, fits);
}

bool is_executable_file(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::vector<std::string> launchers_in(const std::string& directory) {
  std::vector<std::string> ids;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), ::closedir);
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (!name.ends_with(launcher_suffix)) continue;
    std::string id(name.substr(0, name.size() - launcher_suffix.size()));
    if (is_agent_id(id) && is_executable_file(directory + "/" + std::string(name))) ids.push_back(std::move(id));
  }
  return ids;
}

}  // namespace

Result<CustomAgent> parse_custom_agent(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string id = text.substr(0, equals);
  if (equals == std::string::npos || !is_agent_id(id))
    return fail(ErrorCode::invalid_request,
                fmt::format("'{}' is not of the form id=command line (the id: letters, digits, . _ -)", text));
  auto words = split_words(std::string_view(text).substr(equals + 1));
  if (!words || words->empty())
    return fail(ErrorCode::invalid_request, fmt::format("the command line of agent '{}' is empty or has an open quote", id));
  return CustomAgent{id, std::move(*words)};
}

std::string Catalog::launcher(const std::string& agent) const {
  return settings_.launcher_directory + "/" + agent + std::string(launcher_suffix);
}

std::vector<KnownAgent> Catalog::agents() const {
  std::map<std::string, AgentSource> found = {{demo_agent, AgentSource::builtin}};
  for (std::string& id : launchers_in(settings_.launcher_directory)) found[std::move(id)] = AgentSource::local_path;
  for (const CustomAgent& agent : settings_.custom) found[agent.id] = AgentSource::custom;
  std::vector<KnownAgent> list;
  list.reserve(found.size());
  for (const auto& [id, source] : found) list.push_back({id, source});
  return list;
}

Result<ChildSpec> Catalog::launch(const std::string& agent) const {
  for (const CustomAgent& custom : settings_.custom)
    if (custom.id == agent) return ChildSpec{custom.argv, settings_.environment};
  if (!is_agent_id(agent)) return fail(unsupported(agent));
  if (is_executable_file(launcher(agent))) return ChildSpec{{launcher(agent)}, settings_.environment};
  if (agent == demo_agent) return ChildSpec{{settings_.own_binary, "mock-agent"}, settings_.environment};
  return fail(unsupported(agent));
}

Error Catalog::unsupported(const std::string& agent) const {
  std::vector<std::string> ids;
  for (KnownAgent& known : agents()) ids.push_back(std::move(known.id));
  const std::string name = repair_utf8(agent, 64);
  std::ranges::sort(ids, {}, [&](const std::string& id) { return std::pair(edit_distance(id, name), id); });
  if (ids.size() > most_suggestions) ids.resize(most_suggestions);
  std::string json = "[";
  for (const std::string& id : ids) {
    if (json.size() > 1) json += ',';
    append_json_string(json, id);
  }
  return Error{ErrorCode::unsupported_agent,
               fmt::format("There is no agent '{}'. Known agents: {}. Others can be offered with --agent {}=<command>.", name,
                           fmt::join(ids, ", "), is_agent_id(agent) ? agent : "my-agent"),
               {}}
      .with_text("agent", name)
      .with_json("suggestions", json + "]");
}

std::vector<std::string> agent_environment(char** environment, const std::string& own_binary) {
  std::vector<std::string> result;
  for (; *environment; ++environment) {
    const std::string_view variable = *environment;
    if (!variable.starts_with("SANDBOX_AGENT_TOKEN=") && !variable.starts_with("SANDBOX_AGENT_BIN="))
      result.emplace_back(variable);
  }
  result.push_back("SANDBOX_AGENT_BIN=" + own_binary);
  return result;
}

}  // namespace sa
