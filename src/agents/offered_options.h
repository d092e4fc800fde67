// What an agent offers, from its answer to session/new: ACP's select options, and the modes and models of agents that give
// those instead. What has not the shape ACP says is left out. A pure function.
#pragma once

#include <boost/json/fwd.hpp>
#include <vector>

#include "agents/manifest.h"

namespace sa {

std::vector<ConfigOption> offered_options(const boost::json::value& session_new_result);

}  // namespace sa
