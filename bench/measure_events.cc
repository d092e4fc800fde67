// Event streams: what it costs to deliver one event to one reader, and how that grows with the number of readers.
#include <array>
#include <memory>

#include "audience.h"
#include "measures.h"
#include "statistics.h"

namespace bench {
namespace {

constexpr int event_bytes = 200;

}  // namespace

void measure_events(const Setup& setup, Report& report) {
  constexpr int events_in_a_burst = 5000;
  const Server daemon = start_daemon(setup.programs);
  Audience audience(daemon, "bench", 50);
  audience.deliver(1, events_in_a_burst, event_bytes);
  std::vector<double> in_bursts;
  std::vector<double> one_by_one;
  for (int round = 0; round < setup.rounds; ++round) {
    in_bursts.push_back(audience.deliver(1, events_in_a_burst, event_bytes));
    for (int at = 0; at < setup.burst_ms / 10; ++at) one_by_one.push_back(audience.deliver(1, 0, event_bytes));
  }
  report.state({"200 B events to 50 streams, in a burst: CPU per delivery", "µs", 0.5}, median(in_bursts));
  report.state({"200 B events to 50 streams, one at a time (its POST included): CPU per delivery", "µs"}, median(one_by_one));
}

// All audiences are there all the time and take turns; those that wait cost nothing.
void measure_fan_out(const Setup& setup, Report& report) {
  constexpr std::array<int, 7> counts{1, 5, 10, 50, 200, 500, 1000};
  constexpr int few = 3;  // of counts: from there on the cost per delivery must stay
  constexpr int events_in_a_burst = 2000;
  constexpr int readers_at_least = 50;  // together, over the bursts of a round
  struct Point {
    std::unique_ptr<Server> floor_server;
    std::unique_ptr<Audience> floor_audience, audience;
    std::vector<double> floor_us, us;  // per delivery, by round
  };
  const Server daemon = start_daemon(setup.programs);
  std::array<Point, counts.size()> points;
  for (std::size_t at = 0; at < counts.size(); ++at) {
    const auto readers = static_cast<std::size_t>(counts[at]);
    points[at].floor_server = std::make_unique<Server>(start_fan_out(setup.programs, Log::forgets));
    points[at].floor_audience = std::make_unique<Audience>(*points[at].floor_server, "bench", readers);
    points[at].audience = std::make_unique<Audience>(daemon, "fan-" + std::to_string(counts[at]), readers);
  }
  for (int round = 0; round <= setup.rounds; ++round)
    for (std::size_t at = 0; at < counts.size(); ++at) {
      const int times = std::max(1, readers_at_least / counts[at]);
      const double floor_us = points[at].floor_audience->deliver(times, events_in_a_burst, event_bytes);
      const double us = points[at].audience->deliver(times, events_in_a_burst, event_bytes);
      if (round == 0) continue;  // that was the warm-up
      points[at].floor_us.push_back(floor_us);
      points[at].us.push_back(us);
    }

  Curve per_event{.name = "fan-out", .title = "CPU per event, 200 B, in a burst", .along = "readers", .unit = "µs"};
  Curve per_delivery{
      .name = "fan-out-per-delivery", .title = "CPU per delivery, 200 B, in a burst", .along = "readers", .unit = "µs"};
  per_event.series = {{"floor", {}}, {"daemon", {}}};
  per_delivery.series = {{"floor", {}}, {"daemon", {}}};
  for (std::size_t at = 0; at < counts.size(); ++at) {
    const std::array<double, 2> medians{median(points[at].floor_us), median(points[at].us)};
    per_event.places.push_back(counts[at]);
    per_delivery.places.push_back(counts[at]);
    for (std::size_t side = 0; side < medians.size(); ++side) {
      per_event.series[side].values.push_back(medians[side] * counts[at]);
      per_delivery.series[side].values.push_back(medians[side]);
    }
  }
  const auto grown = [&](std::size_t at, std::vector<double> Point::* side) {
    std::vector<double> ratios = points[at].*side;
    for (std::size_t round = 0; round < ratios.size(); ++round) ratios[round] /= (points[few].*side)[round];
    return ratios;
  };
  for (std::size_t at = 0; at < counts.size(); ++at)
    report.compare({"200 B events to " + std::to_string(counts[at]) + (counts[at] == 1 ? " stream" : " streams") +
                        ", in a burst: CPU per delivery",
                    "µs"},
                   points[at].floor_us, points[at].us);
  for (std::size_t at = few + 1; at < counts.size(); ++at)
    report.compare({std::to_string(counts[at]) + " streams: CPU per delivery, as a multiple of 50 streams", "×", 1.2},
                   grown(at, &Point::floor_us), grown(at, &Point::us));
  report.draw(std::move(per_event));
  report.draw(std::move(per_delivery));
}

}  // namespace bench
