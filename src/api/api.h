// What the handlers work on. Owned by the daemon; handlers borrow it. Loop thread only.
#pragma once

#include "acp/instances.h"
#include "base/limits.h"
#include "http/router.h"

namespace sa {

struct Api {
  Instances& instances;
  const HttpLimits& limits;
  TimePoint started;
};

// The route table: every endpoint of the daemon, in one place. `api` must outlive the routes.
std::vector<Route> route_table(Api& api);

}  // namespace sa
