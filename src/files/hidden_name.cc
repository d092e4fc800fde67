#include "files/hidden_name.h"

#include "base/random_hex.h"

namespace sa {

std::string random_word() { return random_hex(8); }

std::string hidden_name() { return ".sandbox-agent-" + random_word(); }

}  // namespace sa
