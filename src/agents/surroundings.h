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

// The value of a variable in a list of NAME=value; empty when there is none.
std::string variable_in(const std::vector<std::string>& environment, std::string_view name);

}  // namespace sa
