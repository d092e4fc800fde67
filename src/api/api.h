// What the handlers work on. Owned by the daemon; handlers borrow it. Loop thread only.
#pragma once

#include "acp/instances.h"
#include "base/settings.h"
#include "http/router.h"
#include "http/server.h"

namespace sa {

struct Api {
  const Settings& settings;
  Instances& instances;
  const HttpServer& server;
  TimePoint started;
};

// The endpoints as the router wants them. `api` must outlive the routes.
std::vector<Route> routes(Api& api);

// The OpenAPI 3.1 document, made from the route table.
std::string openapi_document();

}  // namespace sa
