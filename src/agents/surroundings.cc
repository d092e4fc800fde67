#include "agents/surroundings.h"

#include <algorithm>
#include <string_view>

namespace sa {

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

std::string variable_in(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& variable : environment)
    if (variable.starts_with(name) && variable.size() > name.size() && variable[name.size()] == '=')
      return variable.substr(name.size() + 1);
  return "";
}

void set_variable(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
  const auto is_it = [&](const std::string& variable) { return variable.starts_with(name + "="); };
  const auto found = std::ranges::find_if(environment, is_it);
  if (found == environment.end()) {
    environment.push_back(name + "=" + value);
  } else {
    *found = name + "=" + value;
  }
}

}  // namespace sa
