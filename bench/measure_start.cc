// From exec to the first 200.
#include "http_client.h"
#include "measures.h"
#include "requests.h"
#include "statistics.h"

namespace bench {

void measure_start(const Setup& setup, Report& report) {
  constexpr int starts = 20;
  std::vector<double> cpu_ms;
  std::vector<double> wall_ms;
  for (int at = 0; at < starts; ++at) {
    const Server daemon = start_daemon(setup.programs);
    HttpClient client(daemon.port());
    client.exchange(get(daemon.port(), "/v1/health"));
    wall_ms.push_back(static_cast<double>(now_ns() - daemon.process().started_at_ns()) / 1e6);
    cpu_ms.push_back(static_cast<double>(daemon.cpu_ns()) / 1e6);
  }
  report.state({"start to the first 200 on /v1/health: CPU", "ms", 10}, median(cpu_ms));
  report.state({"start to the first 200 on /v1/health: time", "ms"}, median(wall_ms));
}

}  // namespace bench
