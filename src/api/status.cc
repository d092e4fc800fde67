// /v1/status: what an operator wants to know.
#include <unistd.h>

#include <climits>
#include <string>

#include "api/handlers.h"
#include "api/status_document.h"
#include "base/version.h"

namespace sa {
namespace {

std::string working_directory() {
  char path[PATH_MAX];
  return ::getcwd(path, sizeof path) ? path : "";  // it may have been removed
}

BuildDocument build() { return {build_type, "clang " __clang_version__, build_is_static ? "static" : "dynamic"}; }

CountersDocument counters(const Api& api) {
  const HttpCounters& http = api.server.counters();
  const RingCounters& rings = api.instances.rings().counters;
  return {.connections = http.connections,
          .requests = http.requests,
          .bytes = http.bytes_sent,
          .bytes_received = http.bytes_received,
          .instances = api.instances.started(),
          .events = rings.events,
          .readers = rings.readers,
          .deliveries = rings.deliveries,
          .gaps = rings.gaps};
}

CurrentDocument current(const Api& api) {
  CurrentDocument now{.connections = api.server.connections(), .instances = api.instances.count()};
  for (const Instances::Row& row : api.instances.list()) {
    if (!row.instance) continue;
    now.readers += row.instance->readers();
    now.pending_requests += row.instance->pending_requests();
  }
  return now;
}

std::map<std::string, std::uint64_t> limits(const Api& api) {
  auto values = limits_in_force(api.settings);
  values["maxConnections"] = api.server.max_connections();  // which may have followed from the descriptor limit
  return values;
}

}  // namespace

Task<Result<Response>> get_status(Api& api, Request&) {
  const MemoryUse memory = memory_use();
  const StatusDocument status{.version = version,
                              .build = build(),
                              .pid = ::getpid(),
                              .directory = working_directory(),
                              .uptime_ms = std::chrono::duration_cast<Millis>(Clock::now() - api.started).count(),
                              .counters = counters(api),
                              .current = current(api),
                              .memory = {memory.resident, memory.peak, api.instances.rings().bytes(), memory.threads},
                              .limits = limits(api),
                              .platform = look_at_platform()};
  co_return Response::json(to_json(status));
}

}  // namespace sa
