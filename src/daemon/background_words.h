// The command line of the background daemon. Pure functions but for the working directory.
#pragma once

#include <string>
#include <vector>

namespace sa {

// Settings with their relative paths made absolute, also those of agents' programs: the daemon works in another directory. What
// is not understood stays as it is, for the daemon to complain.
std::vector<std::string> from_anywhere(const std::vector<std::string>& setting_words);

// Whether they, or the environment, say which port to use.
bool name_a_port(const std::vector<std::string>& setting_words);

}  // namespace sa
