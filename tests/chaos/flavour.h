// What the daemon has to live with during one run, chosen by the seed: how much it may keep, how many descriptors it has. A
// value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dice.h"

namespace chaos {

struct Flavour {
  std::vector<std::string> flags;
  std::optional<std::uint64_t> descriptors;  // few; none: as many as there are
  bool small_rings = false;                  // readers that come late find a gap
  bool small_memory = false;                 // of one megabyte each: outbox, line, envelope; a few for all rings
  bool short_patience = false;               // with agents: on a busy machine one may not answer in time
  std::string words;                         // for people
};

Flavour plain_flavour();
Flavour make_flavour(Dice& dice);

}  // namespace chaos
