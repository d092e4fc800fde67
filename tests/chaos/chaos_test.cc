// Schedules of faults, judged. CHAOS_SEED: which one, else the usual seven; CHAOS_SECONDS: how long each. A seed that fails
// says what happened and how to repeat it.
#include <doctest/doctest.h>
#include <signal.h>

#include <iostream>
#include <set>

#include "play.h"
#include "support/failure_watch.h"

using namespace chaos;
using namespace rig;

namespace {

constexpr std::uint64_t usual_seeds[] = {1, 3, 5, 9, 10, 16, 20};  // every end, every lack, and none

void finish(World& world, Finale finale) {
  if (finale != Finale::quiet) world.check_readers();
  switch (finale) {
    case Finale::quiet: world.come_to_rest(); return world.daemon.stop(SIGTERM);
    case Finale::stop: return world.stop();
    case Finale::starved: world.note("no more memory"); return world.starve();
    case Finale::killed: return world.kill();
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
  const auto seconds = wish("CHAOS_SECONDS", 20);
  if (const auto wanted = wish("CHAOS_SEED", 0)) return judge(wanted, seconds);
  for (const auto seed : usual_seeds)
    if (!test_has_failed()) judge(seed, seconds);
}

TEST_CASE("the usual seeds end in all ways there are") {
  std::set<Finale> ends;
  for (const auto seed : usual_seeds) ends.insert(make_schedule(seed, milliseconds(0)).finale);
  CHECK(ends == std::set{Finale::quiet, Finale::stop, Finale::starved, Finale::killed});
}

TEST_SUITE_END();
