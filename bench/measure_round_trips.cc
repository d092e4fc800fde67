// One request at a time, small, large, and from small to large.
#include <array>

#include "measures.h"
#include "round_trips.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr std::size_t envelope_bytes = 1024 * 1024;
constexpr double mib = 1024 * 1024;

}  // namespace

void measure_one_connection(const Setup& setup, Report& report) {
  PipeAgent agent(setup.programs.echo_agent);
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs);
  OverHttp to_proxy(proxy);
  OverHttp to_daemon(daemon);
  to_proxy.run(setup.burst_ms / 2, "hello");
  to_daemon.run(setup.burst_ms / 2, "hello");
  std::vector<double> pipe_p50, floor_p50, floor_cpu, p50, cpu;
  for (int round = 0; round < setup.rounds; ++round) {
    pipe_p50.push_back(over_pipe(agent, setup.burst_ms / 2, "hello").p50);
    const RoundTrips floor = to_proxy.run(setup.burst_ms, "hello");
    const RoundTrips ours = to_daemon.run(setup.burst_ms, "hello");
    floor_p50.push_back(floor.p50);
    floor_cpu.push_back(floor.server_cpu);
    p50.push_back(ours.p50);
    cpu.push_back(ours.server_cpu);
  }
  report.compare({"POST, one connection: p50", "µs", 1.5}, floor_p50, p50);
  report.compare({"POST, one connection: CPU per request", "µs", 1.5}, floor_cpu, cpu);
  report.compare({"POST, one connection, against the pipe alone: p50", "µs"}, pipe_p50, p50);
}

void measure_large_envelopes(const Setup& setup, Report& report) {
  PipeAgent agent(setup.programs.echo_agent);
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs);
  OverHttp to_proxy(proxy);
  OverHttp to_daemon(daemon);
  const std::string text(envelope_bytes, 'x');
  over_pipe(agent, setup.burst_ms / 2, text);
  to_proxy.run(setup.burst_ms / 2, text);
  to_daemon.run(setup.burst_ms / 2, text);
  std::vector<double> pipe_cpu, pipe_p50, floor_cpu, cpu, total, p50;
  for (int round = 0; round < setup.rounds; ++round) {
    const RoundTrips alone = over_pipe(agent, setup.burst_ms, text);
    const RoundTrips floor = to_proxy.run(setup.burst_ms, text);
    const RoundTrips ours = to_daemon.run(setup.burst_ms, text);
    pipe_cpu.push_back(alone.total_cpu);
    pipe_p50.push_back(alone.p50);
    floor_cpu.push_back(floor.server_cpu);
    cpu.push_back(ours.server_cpu);
    total.push_back(ours.total_cpu);
    p50.push_back(ours.p50);
  }
  report.compare({"1 MiB both ways, against the pipe alone: CPU of all parties", "µs", 4}, pipe_cpu, total);
  report.compare({"1 MiB both ways, against the pipe alone: p50", "µs"}, pipe_p50, p50);
  report.compare({"1 MiB both ways, against the proxy: CPU per request", "µs"}, floor_cpu, cpu);
}

// From a short word to 16 MiB, there and back. Each size takes its turn in each round.
void measure_sizes(const Setup& setup, Report& report) {
  constexpr std::array<std::size_t, 10> sizes{64,        256,        1024,        4 * 1024,        16 * 1024,
                                              64 * 1024, 256 * 1024, 1024 * 1024, 4 * 1024 * 1024, 16 * 1024 * 1024};
  PipeAgent agent(setup.programs.echo_agent);
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs);
  OverHttp to_proxy(proxy);
  OverHttp to_daemon(daemon);
  struct BySize {
    std::vector<double> pipe_total, floor_cpu, cpu, total;
  };
  std::array<BySize, sizes.size()> figures;
  for (int round = 0; round <= setup.rounds; ++round)
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      const std::string text(sizes[at], 'x');
      const RoundTrips alone = over_pipe(agent, setup.point_ms, text);
      const RoundTrips floor = to_proxy.run(setup.point_ms, text);
      const RoundTrips ours = to_daemon.run(setup.point_ms, text);
      if (round == 0) continue;  // that was the warm-up
      figures[at].pipe_total.push_back(alone.total_cpu);
      figures[at].floor_cpu.push_back(floor.server_cpu);
      figures[at].cpu.push_back(ours.server_cpu);
      figures[at].total.push_back(ours.total_cpu);
    }
  Curve per_message{.name = "payload", .title = "CPU of the server per message", .along = "bytes of text", .unit = "µs"};
  Curve per_mib{.name = "payload-per-mib", .title = "CPU per MiB", .along = "bytes of text", .unit = "µs"};
  per_message.series = {{"proxy", {}}, {"daemon", {}}};
  per_mib.series = {{"pipe alone, all parties", {}}, {"daemon, all parties", {}}, {"proxy", {}}, {"daemon", {}}};
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    const auto size = static_cast<double>(sizes[at]);
    const double floor_cpu = median(figures[at].floor_cpu);
    const double cpu = median(figures[at].cpu);
    per_message.places.push_back(size);
    per_message.series[0].values.push_back(floor_cpu);
    per_message.series[1].values.push_back(cpu);
    per_mib.places.push_back(size);
    per_mib.series[0].values.push_back(median(figures[at].pipe_total) * mib / size);
    per_mib.series[1].values.push_back(median(figures[at].total) * mib / size);
    per_mib.series[2].values.push_back(floor_cpu * mib / size);
    per_mib.series[3].values.push_back(cpu * mib / size);
  }
  const auto compare = [&](std::size_t at, const std::string& size) {
    report.compare({size + " both ways, against the proxy: CPU per request", "µs"}, figures[at].floor_cpu, figures[at].cpu);
    report.compare({size + " both ways, against the pipe alone: CPU of all parties", "µs"}, figures[at].pipe_total,
                   figures[at].total);
  };
  compare(0, "64 B");
  compare(5, "64 KiB");
  compare(9, "16 MiB");
  report.draw(std::move(per_message));
  report.draw(std::move(per_mib));
}

}  // namespace bench
