// Names for what is not to be seen yet. Any thread.
#pragma once

#include <string>

namespace sa {

// One that nobody else uses: ".sandbox-agent-…".
std::string hidden_name();

// Sixteen hexadecimal digits that nobody else has.
std::string random_word();

}  // namespace sa
