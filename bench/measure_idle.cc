// What it costs to run and do nothing: CPU time and wake-ups, alone and with streams that wait.
#include <unistd.h>

#include "http_client.h"
#include "idle_streams.h"
#include "idle_watch.h"
#include "measures.h"
#include "requests.h"

namespace bench {
namespace {

constexpr int stream_count = 100;

}  // namespace

// Both at the same time: idle daemons do not disturb each other.
void measure_idle(const Setup& setup, Report& report) {
  const Server alone = start_daemon(setup.programs);
  const Server with_streams = start_daemon(setup.programs);
  HttpClient(alone.port()).exchange(get(alone.port(), "/v1/health"));
  HttpClient(with_streams.port()).exchange(post(with_streams.port(), acp_target("idle"), prompt(first_id)));
  const std::vector<HttpClient> streams = open_streams(with_streams.port(), "/v1/acp/idle", stream_count);
  ::usleep(200'000);
  const IdleWatch watch_alone(alone.process().pid());
  const IdleWatch watch_streams(with_streams.process().pid());
  ::usleep(idle_ms * 1000);
  report.state({"daemon alone, idle: CPU per second", "µs"}, watch_alone.cpu_us_per_second());
  report.state({"daemon alone, idle: wake-ups per second", "", 1}, watch_alone.wake_ups_per_second());
  report.state({"100 idle streams, heartbeats included: CPU per second", "µs"}, watch_streams.cpu_us_per_second());
  report.state({"100 idle streams, heartbeats included: wake-ups per second", ""}, watch_streams.wake_ups_per_second());
}

}  // namespace bench
