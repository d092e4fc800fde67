// What happens when, decided by the seed before anything runs: the same seed is the same schedule. Values.
#pragma once

#include <cstdint>
#include <vector>

#include "acts.h"
#include "support/deadline.h"

namespace chaos {

struct Step {
  rig::milliseconds at;
  const Act* act;
  std::size_t slot;
  std::uint64_t dice;  // of which the act makes its own choices
};

// How it is over.
enum class Finale : std::uint8_t {
  quiet,    // everything is let go and must come to rest, then the daemon is stopped
  stop,     // SIGTERM in the middle
  starved,  // no more memory: it ends with a word, and its agents with it
  killed,   // SIGKILL in the middle: no agent may outlive the daemon
};

struct Schedule {
  std::uint64_t seed;
  Flavour flavour;
  std::vector<Step> steps;
  Finale finale;
};

// All acts, in a daemon without any lack, to a quiet end.
Schedule make_soak(std::uint64_t seed, rig::milliseconds duration);
Schedule make_schedule(std::uint64_t seed, rig::milliseconds duration);

}  // namespace chaos
