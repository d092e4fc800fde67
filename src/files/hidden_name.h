// Names for what is not to be seen yet. Any thread.
#pragma once

#include <string>

namespace sa {

// One that nobody else uses: ".sandbox-agent-…".
std::string hidden_name();

}  // namespace sa
