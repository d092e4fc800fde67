// Event streams: what it costs to deliver one event to one reader.
#include "http_client.h"
#include "measures.h"
#include "requests.h"
#include "statistics.h"
#include "stream_readers.h"

namespace bench {
namespace {

constexpr int reader_count = 50;
constexpr int event_bytes = 200;
constexpr int events_in_a_burst = 5000;

}  // namespace

void measure_events(const Setup& setup, Report& report) {
  const Server daemon = start_daemon(setup.programs);
  const std::string target = acp_target("bench");
  HttpClient client(daemon.port());
  std::uint64_t next_id = first_id;
  client.exchange(post(daemon.port(), target, prompt(next_id++)));
  StreamReaders readers(daemon, "/v1/acp/bench", reader_count);
  std::int64_t events_each = 1;
  readers.read_until(events_each);

  // The agent says `count` events and an answer; every reader gets all of them. Microseconds of CPU per delivery.
  auto deliver = [&](int count) {
    const std::int64_t cpu_before = daemon.cpu_ns();
    client.send(post(daemon.port(), target, notify(next_id++, count, event_bytes)));
    events_each += count + 1;
    readers.read_until(events_each);
    client.receive();
    return static_cast<double>(daemon.cpu_ns() - cpu_before) / 1e3 / reader_count / (count + 1);
  };
  deliver(events_in_a_burst);
  std::vector<double> in_bursts;
  std::vector<double> one_by_one;
  for (int round = 0; round < setup.rounds; ++round) {
    in_bursts.push_back(deliver(events_in_a_burst));
    for (int at = 0; at < setup.burst_ms / 10; ++at) one_by_one.push_back(deliver(0));
  }
  report.state({"200 B events to 50 streams, in a burst: CPU per delivery", "µs", 0.5}, median(in_bursts));
  report.state({"200 B events to 50 streams, one at a time (its POST included): CPU per delivery", "µs"}, median(one_by_one));
}

}  // namespace bench
