// How a person gets an agent to run, in words made from its manifest. Pure functions.
#pragma once

#include <string>

#include "agents/manifest.h"

namespace sa {

// How it is installed, what it needs, and where its credentials are looked for. Lines of plain text.
std::string install_instructions(const Manifest& manifest);

}  // namespace sa
