#include "daemon/running_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "agents/surroundings.h"

namespace sa {
namespace {

std::vector<std::string> words_in(pid_t pid, std::string_view file) {
  std::ifstream stream(fmt::format("/proc/{}/{}", pid, file));
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '\0');) words.push_back(std::move(word));
  return words;
}

}  // namespace

std::optional<Settings> settings_of(pid_t pid) {
  const std::vector<std::string> environment = words_in(pid, "environ");
  const std::vector<std::string> command = words_in(pid, "cmdline");
  if (environment.empty() || command.empty()) return std::nullopt;
  const auto server = std::find(command.begin() + 1, command.end(), "server");
  if (server == command.end()) return std::nullopt;
  const std::vector<std::string_view> words(server + 1, command.end());
  auto settings = parse_settings(words, [&](std::string_view variable) -> std::optional<std::string> {
    const std::string value = variable_in(environment, variable);
    return value.empty() ? std::nullopt : std::optional(value);
  });
  return settings ? std::optional(std::move(*settings)) : std::nullopt;
}

}  // namespace sa
