// Events to 50 readers, of the daemon and of the published server: what a delivery costs, and how many arrive.
#include <optional>

#include "http_client.h"
#include "measures.h"
#include "peer.h"
#include "requests.h"
#include "statistics.h"
#include "stream_readers.h"

namespace bench {
namespace {

constexpr int reader_count = 50;
constexpr int event_bytes = 200;
constexpr int silence_ms = 300;  // after so long nothing more comes

// A server that may lose some on the way; what came is counted.
class Listeners {
 public:
  explicit Listeners(const Server& server) : server_(server), client_(server.port()), target_(contest_target("bench")) {
    client_.exchange(post(server.port(), target_, prompt(next_id_++)));
    readers_.emplace(server, "/v1/acp/bench", reader_count);
    readers_->read_until(newest_);
  }

  struct Deliveries {
    double cpu_us;   // per delivery
    double percent;  // of what should have come
  };
  // The agent says `count` events and an answer, so many times.
  Deliveries deliver(int times, int count) {
    const std::int64_t cpu_before = server_.cpu_ns();
    const std::int64_t came_before = came_;
    for (int at = 0; at < times; ++at) {
      client_.send(post(server_.port(), target_, notify(next_id_++, count, event_bytes)));
      newest_ += count + 1;
      came_ = readers_->read_until_silence(newest_, silence_ms);
      client_.receive();
    }
    const std::int64_t came = came_ - came_before;
    const double cpu_us = static_cast<double>(server_.cpu_ns() - cpu_before) / 1e3;
    const double sent = static_cast<double>(times) * reader_count * (count + 1);
    return {cpu_us / static_cast<double>(came), 100 * static_cast<double>(came) / sent};
  }

 private:
  const Server& server_;
  HttpClient client_;
  std::string target_;
  std::uint64_t next_id_ = first_id;
  std::int64_t newest_ = 1;               // event
  std::int64_t came_ = reader_count;      // of all events, to all readers
  std::optional<StreamReaders> readers_;  // from when the instance is there
};

struct Rounds {
  std::vector<double> cpu_us, percent;
  void add(const Listeners::Deliveries& deliveries) {
    cpu_us.push_back(deliveries.cpu_us);
    percent.push_back(deliveries.percent);
  }
};

}  // namespace

void measure_peer_events(const Setup& setup, Report& report) {
  struct Kind {
    const char* name;
    int times, count;
    double limit;
  };
  constexpr Kind kinds[] = {
      {"in bursts of 5,000", 1, 5000, 50}, {"in bursts of 500", 4, 500, 50}, {"one at a time (its POST included)", 50, 0, 0}};
  const Contest contest(setup);
  const Server peer = contest.start_peer();
  const Server daemon = contest.start_daemon();
  Listeners of_peer(peer);
  Listeners of_daemon(daemon);
  for (const Kind& kind : kinds) {
    Rounds theirs, ours;
    of_daemon.deliver(1, kind.count);
    of_peer.deliver(1, kind.count);
    for (int round = 0; round < setup.rounds; ++round) {
      ours.add(of_daemon.deliver(kind.times, kind.count));
      if (ours.percent.back() < 100) give_up("the daemon lost events");
      theirs.add(of_peer.deliver(kind.times, kind.count));
    }
    const std::string name = std::string("200 B events to 50 streams, ") + kind.name;
    report.compare_peer({name + ": CPU per delivery", "µs", kind.limit}, theirs.cpu_us, ours.cpu_us);
    report.compare_peer_gain({name + ": delivered", "%"}, median(theirs.percent), median(ours.percent));
  }
}

}  // namespace bench
