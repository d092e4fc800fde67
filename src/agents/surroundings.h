// What of this process and machine matters to agents. A value; made once at the start.
#pragma once

#include <string>
#include <vector>

namespace sa {

struct Surroundings {
  std::string own_binary;
  std::string home;
  std::vector<std::string> environment;  // what agents get, complete
};

// Our environment without the token, with SANDBOX_AGENT_BIN.
std::vector<std::string> agent_environment(char** environment, const std::string& own_binary);

// In a list of NAME=value: a variable's value, empty when there is none; and giving it another.
std::string variable_in(const std::vector<std::string>& environment, std::string_view name);
void set_variable(std::vector<std::string>& environment, const std::string& name, const std::string& value);

}  // namespace sa
