// A reader that comes late: the whole ring, at once.
#include <array>
#include <memory>

#include "http_client.h"
#include "measures.h"
#include "requests.h"
#include "statistics.h"
#include "stream_readers.h"

namespace bench {
namespace {

constexpr int ring_messages = 16'384;
constexpr int replays_in_a_round = 5;

struct Replays {
  std::vector<double> ms, cpu_ms;  // of a whole ring, by round
};

// As many events as the ring holds, and not one more: an answer, events, an answer.
void fill(const Server& server, const std::string& id, int bytes) {
  HttpClient client(server.port());
  client.exchange(post(server.port(), acp_target(id), prompt(first_id)));
  client.exchange(post(server.port(), acp_target(id), notify(first_id + 1, ring_messages - 2, bytes)));
}

void take(Replays& replays, const Server& server, const std::string& id) {
  const std::int64_t cpu_before = server.cpu_ns();
  const std::int64_t begin = now_ns();
  for (int at = 0; at < replays_in_a_round; ++at) StreamReaders(server, "/v1/acp/" + id, 1).read_until(ring_messages);
  replays.ms.push_back(static_cast<double>(now_ns() - begin) / 1e6 / replays_in_a_round);
  replays.cpu_ms.push_back(static_cast<double>(server.cpu_ns() - cpu_before) / 1e6 / replays_in_a_round);
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

}  // namespace

void measure_replay(const Setup& setup, Report& report) {
  struct Ring {
    const char* id;
    int event_bytes;
    const char* name;
  };
  // The second also fills the bytes that a ring may hold.
  constexpr std::array rings{Ring{"small", 200, "replay of a full ring, 16,384 events of 200 B"},
                             Ring{"large", 1900, "replay of a full ring, 16,384 events of 1,900 B"}};
  const Server daemon = start_daemon(setup.programs);
  for (const Ring& ring : rings) {
    const Server floor_server = start_fan_out(setup.programs, Log::keeps);
    fill(floor_server, ring.id, ring.event_bytes);
    fill(daemon, ring.id, ring.event_bytes);
    Replays warm_up, floor, ours;
    take(warm_up, floor_server, ring.id);
    take(warm_up, daemon, ring.id);
    for (int round = 0; round < setup.rounds; ++round) {
      take(floor, floor_server, ring.id);
      take(ours, daemon, ring.id);
    }
    const std::string name = ring.name;
    const double mib = static_cast<double>(ring_messages) * ring.event_bytes / (1024.0 * 1024);
    report.compare({name + ": time", "ms"}, floor.ms, ours.ms);
    report.compare({name + ": CPU per event", "µs"}, scaled(floor.cpu_ms, 1e3 / ring_messages),
                   scaled(ours.cpu_ms, 1e3 / ring_messages));
    report.compare({name + ": CPU per MiB of what the agent said", "µs"}, scaled(floor.cpu_ms, 1e3 / mib),
                   scaled(ours.cpu_ms, 1e3 / mib));
  }
}

}  // namespace bench
