// The manifests of agents/ as they lie in the binary: JSON texts. Constant; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace sa {

const std::vector<std::string_view>& builtin_manifests();

}  // namespace sa
