// The daemon beside the published server: start, requests, rest. In turns, round by round.
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "http_client.h"
#include "http_load.h"
#include "idle_streams.h"
#include "idle_watch.h"
#include "load_figures.h"
#include "measures.h"
#include "peer.h"
#include "requests.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr double kib = 1024;

double kib_of(const Server& server) { return static_cast<double>(resident_bytes(server.process().pid())) / kib; }

struct Starts {
  std::vector<double> cpu_ms, wall_ms, resident_mib;
  void add(const Server& server) {
    wall_ms.push_back(static_cast<double>(now_ns() - server.process().started_at_ns()) / 1e6);
    cpu_ms.push_back(static_cast<double>(server.cpu_ns()) / 1e6);
    resident_mib.push_back(kib_of(server) / kib);
  }
};

// The daemon takes a turn before each of the two it is beside.
LoadFigures every_second(const LoadFigures& figures, std::size_t from) {
  LoadFigures result;
  for (std::size_t at = from; at < figures.cpu_us.size(); at += 2)
    result.add({figures.cpu_us[at], figures.p50_us[at], figures.p99_us[at], figures.per_second[at]});
  return result;
}

void report_posts(Report& report, const std::string& name, const LoadFigures& theirs, const LoadFigures& ours, double limit) {
  report.compare_peer({name + ": CPU per request", "µs", limit}, theirs.cpu_us, ours.cpu_us);
  report.compare_peer({name + ": p50", "µs"}, theirs.p50_us, ours.p50_us);
  report.compare_peer({name + ": p99", "µs"}, theirs.p99_us, ours.p99_us);
}

// `where` goes into the names; `limit` is for 64 in flight and the peer as it comes.
void compare_posts(const Setup& setup, Report& report, const std::string& where, double limit) {
  const Contest contest(setup);
  const Server peer = contest.start_peer();
  const Server silent_peer = contest.start_peer_without_log();
  const Server daemon = contest.start_daemon();
  for (const int connections : {64, 1}) {
    const auto make_load = [&](const Server& server) {
      start_contest_instance(server, "bench");
      return std::make_unique<HttpLoad>(server, static_cast<std::size_t>(connections),
                                        std::vector<std::string>{contest_target("bench")});
    };
    const auto peer_load = make_load(peer);
    const auto silent_load = make_load(silent_peer);
    const auto load = make_load(daemon);
    for (HttpLoad* one : {peer_load.get(), silent_load.get(), load.get()}) one->run(setup.burst_ms / 2);
    LoadFigures theirs, silent, ours;
    for (int round = 0; round < setup.rounds; ++round) {
      ours.add(load->run(setup.burst_ms));
      theirs.add(peer_load->run(setup.burst_ms));
      ours.add(load->run(setup.burst_ms));
      silent.add(silent_load->run(setup.burst_ms));
    }
    const std::string name = (connections == 1 ? "POST, one connection" : "POST, 64 in flight") + where;
    report_posts(report, name, theirs, every_second(ours, 0), connections == 1 ? 0 : limit);
    report_posts(report, name + ", its log off", silent, every_second(ours, 1), 0);
  }
}

}  // namespace

void measure_peer_start(const Setup& setup, Report& report) {
  const Contest contest(setup);
  Starts peer, ours;
  for (int at = 0; at < 3 * setup.rounds; ++at) {
    ours.add(contest.start_daemon());
    peer.add(contest.start_peer());
  }
  report.compare_peer({"start to the first 200 on /v1/health: time", "ms", 3}, peer.wall_ms, ours.wall_ms);
  report.compare_peer({"start to the first 200 on /v1/health: CPU", "ms"}, peer.cpu_ms, ours.cpu_ms);
  report.compare_peer({"idle server, after its first answer: resident", "MiB"}, peer.resident_mib, ours.resident_mib);
  const auto mib_of = [](const std::string& path) { return static_cast<double>(std::filesystem::file_size(path)) / kib / kib; };
  report.compare_peer({"the program's file: size", "MiB"}, mib_of(contest.peer()), mib_of(contest.daemon()));
}

// On all cores: nobody keeps a server on one.
void measure_peer_posts(const Setup& setup, Report& report) { compare_posts(setup, report, ", all cores", 8); }

void measure_peer_posts_on_one_core(const Setup& setup, Report& report) { compare_posts(setup, report, ", one core", 0); }

// On all cores, because it can use them and the daemon's one loop cannot. Its log is off.
void measure_peer_throughput(const Setup& setup, Report& report) {
  const Contest contest(setup);
  const Server peer = contest.start_peer_without_log();
  const Server daemon = contest.start_daemon();
  std::vector<std::string> targets(16);
  for (std::size_t at = 0; at < targets.size(); ++at) {
    const std::string id = "bench-" + std::to_string(at);
    targets[at] = contest_target(id);
    start_contest_instance(peer, id);
    start_contest_instance(daemon, id);
  }
  HttpLoad peer_load(peer, 256, targets);
  HttpLoad load(daemon, 256, targets);
  peer_load.run(setup.burst_ms / 2);
  load.run(setup.burst_ms / 2);
  LoadFigures theirs, ours;
  for (int round = 0; round < setup.rounds; ++round) {
    ours.add(load.run(setup.burst_ms));
    theirs.add(peer_load.run(setup.burst_ms));
  }
  const std::string name = "POST, 256 in flight over 16 ids, all cores, its log off";
  report.compare_peer_gain({name + ": requests per second", ""}, median(theirs.per_second), median(ours.per_second));
  report.compare_peer({name + ": p50", "µs"}, theirs.p50_us, ours.p50_us);
}

void measure_peer_idle(const Setup& setup, Report& report) {
  constexpr int stream_count = 100;
  const Contest contest(setup);
  const Server peer = contest.start_peer();
  const Server daemon = contest.start_daemon();
  const Server peer_alone = contest.start_peer();
  const Server daemon_alone = contest.start_daemon();
  start_contest_instance(peer, "idle");
  start_contest_instance(daemon, "idle");
  const std::vector<HttpClient> peer_streams = open_streams(peer.port(), "/v1/acp/idle", stream_count);
  const std::vector<HttpClient> streams = open_streams(daemon.port(), "/v1/acp/idle", stream_count);
  ::usleep(200'000);
  const IdleWatch peer_watch(peer.process().pid());
  const IdleWatch watch(daemon.process().pid());
  const IdleWatch peer_alone_watch(peer_alone.process().pid());
  const IdleWatch alone_watch(daemon_alone.process().pid());
  ::usleep(idle_ms * 1000);
  report.compare_peer({"idle server: CPU per second", "µs"}, peer_alone_watch.cpu_us_per_second(),
                      alone_watch.cpu_us_per_second());
  report.compare_peer({"idle server: wake-ups per second", ""}, peer_alone_watch.wake_ups_per_second(),
                      alone_watch.wake_ups_per_second());
  report.compare_peer({"100 idle streams, heartbeats included: CPU per second", "µs"}, peer_watch.cpu_us_per_second(),
                      watch.cpu_us_per_second());
  report.compare_peer({"100 idle streams, heartbeats included: wake-ups per second", ""}, peer_watch.wake_ups_per_second(),
                      watch.wake_ups_per_second());
}

}  // namespace bench
