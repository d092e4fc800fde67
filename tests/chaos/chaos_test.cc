// Schedules of faults, judged. CHAOS_SEED: the first seed; CHAOS_SEEDS: how many; CHAOS_SECONDS: how long each. A seed that
// fails says what happened and how to repeat it.
#include <doctest/doctest.h>
#include <signal.h>

#include <iostream>

#include "play.h"
#include "support/failure_watch.h"
#include "support/survivors.h"

using namespace chaos;
using namespace rig;

namespace {

void finish(World& world, Finale finale) {
  switch (finale) {
    case Finale::quiet: world.come_to_rest(); return world.daemon.stop(SIGTERM);
    case Finale::stop: world.note("SIGTERM"); return world.daemon.stop(SIGTERM);
    case Finale::starved: world.note("no more memory"); return world.starve();
    case Finale::killed:
      world.note("SIGKILL");
      world.daemon.kill();
      CHECK_MESSAGE(no_agents_within(world.daemon.mark(), milliseconds(10000)), describe(marked_agents(world.daemon.mark())));
  }
}

void judge(std::uint64_t seed, std::uint64_t seconds) {
  const auto schedule = make_schedule(seed, milliseconds(1000 * seconds));
  World world(schedule.flavour, seed);
  try {
    play(world, schedule);
    if (!test_has_failed()) finish(world, schedule.finale);
    for (const auto& fault : world.faults()) FAIL_CHECK(fault);
  } catch (const std::exception& error) {
    FAIL_CHECK(std::string(error.what()));
  }
  if (!test_has_failed()) {
    std::cout << "seed " << seed << " (" << world.flavour.words << "): " << schedule.steps.size() << " acts, "
              << world.oracle.reports().size() << " readers\n";
    return;
  }
  tell(world);
  std::cerr << "seed " << seed << " failed. To repeat it: make chaos ARGS=\"--seed " << seed << " --seconds " << seconds
            << "\"\n";
  if (world.daemon.process().running()) world.let_go();
}

}  // namespace

TEST_SUITE_BEGIN("chaos");

TEST_CASE("nothing is lost without a gap, doubled, reordered or left behind, whatever happens") {
  const auto first = wish("CHAOS_SEED", 1);
  const auto count = wish("CHAOS_SEEDS", 1);
  for (std::uint64_t seed = first; seed < first + count && !test_has_failed(); ++seed) judge(seed, wish("CHAOS_SECONDS", 20));
}

TEST_SUITE_END();
