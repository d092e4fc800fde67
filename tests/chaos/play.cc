#include "play.h"

#include <cstdlib>
#include <iostream>
#include <thread>

#include "support/failure_watch.h"

namespace chaos {

using namespace rig;

std::uint64_t wish(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

void play(World& world, const Schedule& schedule) {
  const auto start = Clock::now();
  for (const Step& step : schedule.steps) {
    std::this_thread::sleep_until(start + step.at);
    world.make_room();
    Slot& slot = world.places[step.slot];
    world.note(slot.id + ": " + std::string(step.act->name));
    Dice dice(step.dice);
    step.act->perform(world, slot, dice);
    world.take_answers();
    if (test_has_failed()) return;
  }
}

void tell(const World& world) {
  for (const auto& note : world.notes()) std::cerr << note << '\n';
}

}  // namespace chaos
