// Many requests at a time.
#include <utility>

#include "http_load.h"
#include "load_figures.h"
#include "measures.h"
#include "requests.h"

namespace bench {
namespace {

void warm_up(const Setup& setup, HttpLoad& load) { load.run(setup.burst_ms / 2); }

// 64 connections to the one, then to the other, round by round.
std::pair<LoadFigures, LoadFigures> take_turns(const Setup& setup, const Server& floor, const Server& daemon,
                                               const std::string& target) {
  HttpLoad floor_load(floor, 64, {target});
  HttpLoad daemon_load(daemon, 64, {target});
  warm_up(setup, floor_load);
  warm_up(setup, daemon_load);
  std::pair<LoadFigures, LoadFigures> both;
  for (int round = 0; round < setup.rounds; ++round) {
    both.first.add(floor_load.run(setup.burst_ms));
    both.second.add(daemon_load.run(setup.burst_ms));
  }
  return both;
}

}  // namespace

void measure_posts(const Setup& setup, Report& report) {
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs);
  const auto [floor, ours] = take_turns(setup, proxy, daemon, acp_target("bench"));
  report.compare({"POST, 64 in flight: CPU per request", "µs", 2}, floor.cpu_us, ours.cpu_us);
  report.compare({"POST, 64 in flight: p50", "µs"}, floor.p50_us, ours.p50_us);
  report.compare({"POST, 64 in flight: p99", "µs"}, floor.p99_us, ours.p99_us);
}

void measure_many_instances(const Setup& setup, Report& report) {
  std::vector<std::string> targets(16);
  for (std::size_t at = 0; at < targets.size(); ++at) targets[at] = acp_target("bench-" + std::to_string(at));
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs, small_rings);
  HttpLoad floor_few_load(proxy, 64, {acp_target("bench")});
  HttpLoad floor_many_load(proxy, 256, targets);
  HttpLoad few_load(daemon, 64, {acp_target("bench")});
  HttpLoad many_load(daemon, 256, targets);
  for (HttpLoad* load : {&floor_few_load, &floor_many_load, &few_load, &many_load}) warm_up(setup, *load);
  LoadFigures floor_few, floor_many, few, many;
  for (int round = 0; round < setup.rounds; ++round) {
    floor_few.add(floor_few_load.run(setup.burst_ms));
    few.add(few_load.run(setup.burst_ms));
    floor_many.add(floor_many_load.run(setup.burst_ms));
    many.add(many_load.run(setup.burst_ms));
  }
  const std::string measure = "POST, 256 in flight over 16 ids";
  report.compare({measure + ": CPU per request", "µs", 2}, floor_many.cpu_us, many.cpu_us);
  report.compare({measure + ": CPU, as a multiple of 64 on one id", "×", 1.10}, growth(floor_few, floor_many),
                 growth(few, many));
}

void measure_health(const Setup& setup, Report& report) {
  const Server floor_server = start_health(setup.programs);
  const Server daemon = start_daemon(setup.programs);
  const auto [floor, ours] = take_turns(setup, floor_server, daemon, "/v1/health");
  report.compare({"GET /v1/health, 64 connections: CPU per request", "µs", 2.5}, floor.cpu_us, ours.cpu_us);
}

}  // namespace bench
