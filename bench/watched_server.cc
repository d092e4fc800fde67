#include "watched_server.h"

#include <utility>

#include "requests.h"
#include "statistics.h"

namespace bench {

void report_health(Report& report, const std::string& measure, const WorkFigures& ours, const WorkFigures* floor) {
  const double p99_ms = quantile(ours.health_ns, 0.99) / 1e6;
  const double floor_p99_ms = floor ? quantile(floor->health_ns, 0.99) / 1e6 : 0;
  report.state({measure + ": GET /v1/health meanwhile, p99", "ms", 20}, p99_ms, floor_p99_ms);
}

WatchedServer::WatchedServer(Server server, std::optional<Server> health)
    : server_(std::move(server)), health_(std::move(health)), client_(server_.port()) {
  if (!health_) client_.exchange(get(server_.port(), "/v1/health"));
  idle_bytes_ = peak_resident_bytes(server_.process().pid());
}

void WatchedServer::report_growth(Report& report, const std::string& measure, double limit_mib) const {
  const std::int64_t growth = peak_resident_bytes(server_.process().pid()) - idle_bytes_;
  report.state({measure + ": growth of its peak memory", "MiB", limit_mib}, static_cast<double>(growth) / (1024 * 1024));
}

}  // namespace bench
