#include "schedule.h"

#include <numeric>

namespace chaos {
namespace {

using rig::milliseconds;

constexpr std::uint64_t longest_pause_ms = 60;

const Act& pick_act(Dice& dice, const Flavour& flavour) {
  const auto weight_of = [&](const Act& act) { return act.suits == nullptr || act.suits(flavour) ? act.weight : 0U; };
  const auto acts = all_acts();
  const auto total =
      std::accumulate(acts.begin(), acts.end(), 0U, [&](unsigned sum, const Act& act) { return sum + weight_of(act); });
  auto left = dice.between(1, total);
  for (const Act& act : acts) {
    if (left <= weight_of(act)) return act;
    left -= weight_of(act);
  }
  return acts.front();
}

void add_steps(Schedule& schedule, Dice& dice, milliseconds duration) {
  for (milliseconds at{0}; at < duration; at += milliseconds(dice.between(0, longest_pause_ms))) {
    const Act& act = pick_act(dice, schedule.flavour);
    schedule.steps.push_back({.at = at, .act = &act, .slot = dice.between(0, slots - 1), .dice = dice.roll()});
  }
}

}  // namespace

Schedule make_soak(std::uint64_t seed, milliseconds duration) {
  Dice dice(seed);
  Schedule schedule{.seed = seed, .flavour = plain_flavour(), .steps = {}, .finale = Finale::quiet};
  add_steps(schedule, dice, duration);
  return schedule;
}

Schedule make_schedule(std::uint64_t seed, milliseconds duration) {
  Dice dice(seed);
  Schedule schedule{.seed = seed, .flavour = make_flavour(dice), .steps = {}, .finale = Finale::quiet};
  constexpr Finale finales[] = {Finale::quiet, Finale::quiet, Finale::quiet, Finale::quiet,   Finale::quiet,
                                Finale::quiet, Finale::stop,  Finale::stop,  Finale::starved, Finale::killed};
  schedule.finale = dice.pick(finales);
  add_steps(schedule, dice, duration);
  return schedule;
}

}  // namespace chaos
