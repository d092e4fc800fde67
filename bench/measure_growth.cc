// What a request costs as instances become many and rings become full. It must stay what it is.
#include <array>
#include <memory>

#include "http_client.h"
#include "http_load.h"
#include "load_figures.h"
#include "measures.h"
#include "requests.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr double flat = 1.2;  // the most that a cost may grow
constexpr int ring_messages = 16'384;

std::vector<std::string> targets_of(int instances) {
  std::vector<std::string> targets(static_cast<std::size_t>(instances));
  for (std::size_t at = 0; at < targets.size(); ++at) targets[at] = acp_target("bench-" + std::to_string(at));
  return targets;
}

}  // namespace

// More and more instances. With a client each, a message costs the same, however many there are. With the same number in flight
// over all of them, each gets fewer lines at a time, and the kernel has more pipes and processes to serve: the floor, which has
// the same agents, shows how much of the growth that is.
void measure_growing_instances(const Setup& setup, Report& report) {
  constexpr std::array<int, 8> counts{1, 2, 5, 10, 20, 50, 100, 200};
  constexpr std::size_t in_flight = 200;
  constexpr const char* small_budget = "8388608";
  const Server proxy = start_proxy(setup.programs);
  const Server daemon = start_daemon(setup.programs, small_rings);
  const Server full_daemon = start_daemon(setup.programs, {"--total-ring-bytes", small_budget});
  struct Point {
    std::unique_ptr<HttpLoad> floor_load, load, load_of_one_each;
    LoadFigures floor, ours, one_each;
  };
  std::array<Point, counts.size()> points;
  for (std::size_t at = 0; at < counts.size(); ++at) {
    points[at].floor_load = std::make_unique<HttpLoad>(proxy, in_flight, targets_of(counts[at]));
    points[at].load = std::make_unique<HttpLoad>(daemon, in_flight, targets_of(counts[at]));
    points[at].load_of_one_each =
        std::make_unique<HttpLoad>(daemon, static_cast<std::size_t>(counts[at]), targets_of(counts[at]));
  }
  HttpLoad full_load(full_daemon, in_flight, targets_of(counts.back()));
  LoadFigures full;
  for (int round = 0; round <= 4 * setup.rounds; ++round) {
    for (Point& point : points) {
      const LoadResult floor = point.floor_load->run(setup.point_ms);
      const LoadResult ours = point.load->run(setup.point_ms);
      const LoadResult one_each = point.load_of_one_each->run(setup.point_ms);
      if (round == 0) continue;  // that was the warm-up
      point.floor.add(floor);
      point.ours.add(ours);
      point.one_each.add(one_each);
    }
    const LoadResult result = full_load.run(round == 0 ? 4 * setup.burst_ms : setup.point_ms);
    if (round > 0) full.add(result);
  }

  Curve curve{.name = "instances", .title = "CPU per POST", .along = "instances", .unit = "µs"};
  curve.y_scale = Scale::linear;
  curve.series = {{"daemon, a client each", {}}, {"daemon, 200 in flight", {}}, {"proxy, 200 in flight", {}}};
  for (std::size_t at = 0; at < counts.size(); ++at) {
    curve.places.push_back(counts[at]);
    curve.series[0].values.push_back(median(points[at].one_each.cpu_us));
    curve.series[1].values.push_back(median(points[at].ours.cpu_us));
    curve.series[2].values.push_back(median(points[at].floor.cpu_us));
  }
  for (std::size_t at = 1; at < counts.size(); ++at)
    report.state({"POST, " + std::to_string(counts[at]) + " ids with a client each: CPU, as a multiple of one", "×", flat},
                 growth(points[0].one_each, points[at].one_each).front());
  report.compare({"POST, 200 in flight on one id: CPU per request", "µs"}, points[0].floor.cpu_us, points[0].ours.cpu_us);
  for (std::size_t at = 1; at < counts.size(); ++at)
    report.compare({"POST, 200 in flight over " + std::to_string(counts[at]) + " ids: CPU, as a multiple of one id", "×", flat},
                   growth(points[0].floor, points[at].floor), growth(points[0].ours, points[at].ours));
  report.compare(
      {"POST, 200 in flight over 200 ids, all rings together full (floor: the daemon with room in them): CPU per request", "µs",
       flat},
      points.back().ours.cpu_us, full.cpu_us);
  report.draw(std::move(curve));
}

// A new instance in each round: some events and some requests while its ring is empty, half full, full, and after its content
// changed again and again.
void measure_ring_fill(const Setup& setup, Report& report) {
  constexpr std::array<double, 6> fills{0, 0.5, 1, 2, 5, 20};  // so many rings were said before
  constexpr int events_in_a_burst = 1000;
  constexpr int event_bytes = 200;
  constexpr int post_ms = 20;
  const Server daemon = start_daemon(setup.programs);
  const pid_t pid = daemon.process().pid();
  HttpClient client(daemon.port());
  std::array<std::vector<double>, fills.size()> event_us, post_us;
  for (int round = 0; round <= setup.rounds; ++round) {
    const std::string target = acp_target("ring-" + std::to_string(round));
    std::uint64_t next_id = first_id;
    std::int64_t said = 1;
    client.exchange(post(daemon.port(), target, prompt(next_id++)));
    HttpLoad load(daemon, 64, {target});
    auto say = [&](std::int64_t count) {
      if (count <= 0) return;
      client.exchange(post(daemon.port(), target, notify(next_id++, static_cast<int>(count - 1), event_bytes)));
      said += count;
    };
    for (std::size_t at = 0; at < fills.size(); ++at) {
      say(static_cast<std::int64_t>(fills[at] * ring_messages) - said);
      const std::int64_t cpu_before = cpu_ns(pid);
      say(events_in_a_burst);
      const double us = static_cast<double>(cpu_ns(pid) - cpu_before) / 1e3 / events_in_a_burst;
      const LoadResult posts = load.run(post_ms);
      said += static_cast<std::int64_t>(posts.per_second * post_ms / 1e3);  // near enough
      if (round == 0) continue;                                             // that was the warm-up
      event_us[at].push_back(us);
      post_us[at].push_back(posts.cpu_us);
    }
  }

  Curve events{
      .name = "ring-fill-events", .title = "CPU per 200 B event, in a burst", .along = "rings said before", .unit = "µs"};
  Curve posts{.name = "ring-fill-posts", .title = "CPU per POST, 64 in flight", .along = "rings said before", .unit = "µs"};
  for (Curve* curve : {&events, &posts}) {
    curve->x_scale = Scale::steps;
    curve->y_scale = Scale::linear;
    curve->places.assign(fills.begin(), fills.end());
    curve->series = {{"daemon", {}}};
  }
  for (std::size_t at = 0; at < fills.size(); ++at) {
    events.series[0].values.push_back(median(event_us[at]));
    posts.series[0].values.push_back(median(post_us[at]));
  }
  constexpr std::array<const char*, fills.size()> names{
      "empty", "half full", "full", "content changed once", "content changed 4 times", "content changed 19 times"};
  for (std::size_t at = 1; at < fills.size(); ++at) {
    const std::string name = std::string("ring ") + names[at] + " (floor: the daemon with an empty one): CPU per ";
    report.compare({name + "event", "µs", flat}, event_us[0], event_us[at]);
    report.compare({name + "POST", "µs", flat}, post_us[0], post_us[at]);
  }
  report.draw(std::move(events));
  report.draw(std::move(posts));
}

}  // namespace bench
