// One schedule, played. Main thread.
#pragma once

#include <cstdint>

#include "schedule.h"
#include "world.h"

namespace chaos {

// A number from the environment.
std::uint64_t wish(const char* name, std::uint64_t otherwise);

// Until it is over or something is wrong.
void play(World& world, const Schedule& schedule);

// What happened, for whoever looks for the reason.
void tell(const World& world);

}  // namespace chaos
