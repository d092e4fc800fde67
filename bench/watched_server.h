// A server at work: how long that takes, its CPU time, its memory, and how long others wait for an answer meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "health_watch.h"
#include "http_client.h"
#include "report.h"
#include "servers.h"

namespace bench {

struct WorkFigures {
  std::vector<double> ms, cpu_ms;       // by round
  std::vector<std::int64_t> health_ns;  // by question
};

// `floor` shows how much of it is the machine's.
void report_health(Report& report, const std::string& measure, const WorkFigures& ours, const WorkFigures* floor = nullptr);

class WatchedServer {
 public:
  // A floor cannot say how it is; another is asked in its place, so that it bears that load too.
  explicit WatchedServer(Server server, std::optional<Server> health = {});

  // Runs `work(client, port)`, on one connection for all; notes milliseconds per unit.
  template <class Work>
  void take(WorkFigures& figures, double units, Work work) {
    const HealthWatch watch(health_ ? *health_ : server_, figures.health_ns);
    const std::int64_t cpu_before = server_.cpu_ns();
    const std::int64_t begin = now_ns();
    work(client_, server_.port());
    figures.ms.push_back(static_cast<double>(now_ns() - begin) / 1e6 / units);
    figures.cpu_ms.push_back(static_cast<double>(server_.cpu_ns() - cpu_before) / 1e6 / units);
  }

  // Of its peak, since it was idle.
  void report_growth(Report& report, const std::string& measure, double limit_mib) const;

 private:
  Server server_;
  std::optional<Server> health_;
  HttpClient client_;
  std::int64_t idle_bytes_;
};

}  // namespace bench
