// What the daemon holds at rest: alone, with idle streams, with idle instances.
#include <algorithm>

#include "http_client.h"
#include "idle_streams.h"
#include "measures.h"
#include "requests.h"

namespace bench {
namespace {

constexpr int stream_count = 2000;
constexpr int instance_count = 50;
constexpr double kib = 1024;

double kib_of(pid_t pid) { return static_cast<double>(resident_bytes(pid)) / kib; }

}  // namespace

void measure_memory(const Setup& setup, Report& report) {
  const Server daemon = start_daemon(setup.programs);
  const pid_t pid = daemon.process().pid();
  HttpClient client(daemon.port());
  client.exchange(get(daemon.port(), "/v1/health"));
  report.state({"daemon alone, idle: resident", "MiB", 8}, kib_of(pid) / kib);
  report.state({"daemon alone, idle: threads", "", 1}, thread_count(pid));

  const std::string body = prompt(first_id);
  auto start_instance = [&](const std::string& id) { client.exchange(post(daemon.port(), acp_target(id), body)); };
  start_instance("first");
  double before = kib_of(pid);
  for (int at = 0; at < instance_count; ++at) start_instance("idle-" + std::to_string(at));
  report.state({"an idle instance: resident in the daemon", "KiB", 64}, (kib_of(pid) - before) / instance_count);
  double largest = 0;
  for (const pid_t supervisor : children_of(pid))
    largest = std::max(largest, static_cast<double>(private_bytes(supervisor)) / kib);
  report.state({"an idle instance: private memory of its supervisor", "KiB", 1024}, largest);

  before = kib_of(pid);
  const std::vector<HttpClient> streams = open_streams(daemon.port(), "/v1/acp/first", stream_count);
  report.state({"an idle stream (of 2,000): resident in the daemon", "KiB", 8}, (kib_of(pid) - before) / stream_count);
}

}  // namespace bench
