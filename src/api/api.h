// What the handlers work on. Owned by the daemon; handlers borrow it. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "acp/instances.h"
#include "agents/agents.h"
#include "agents/offers.h"
#include "agents/registry.h"
#include "base/settings.h"
#include "base/stop_flag.h"
#include "files/file_root.h"
#include "http/router.h"
#include "http/server.h"
#include "io/worker_pool.h"

namespace sa {

// A question to the registry, and who waits for its answer.
struct RegistryQuestion {
  std::optional<Result<Registry::Document>> answer;
  std::vector<Signal*> waiting;
};

struct Api {
  const Settings& settings;
  Instances& instances;
  Agents& agents;
  Offers& offers;
  const Registry& registry;
  const HttpServer& server;
  TimePoint started;
  const FileRoot& files;
  WorkerPool& pool;          // for quick blocking work
  WorkerPool& slow_pool;     // for work that may last: it never stands in the way of the other
  const StopFlag& stopping;  // ends work that lasts
  std::size_t archives = 0;  // being unpacked
  // The one that is under way; null: none.
  std::shared_ptr<RegistryQuestion> registry_question{};
};

// The endpoints as the router wants them. `api` must outlive the routes.
std::vector<Route> routes(Api& api);

// The OpenAPI 3.1 document, made from the route table, once. Any thread.
const std::string& openapi_document();

}  // namespace sa
