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
  std::uint64_t ring_messages = 16'384;      // the daemon's default
  bool small_memory = false;                 // of one megabyte each: outbox, line, envelope; a few for all rings
  bool hurries_readers = false;              // one that does not read for a moment may be lapped
  bool short_patience = false;               // with agents: on a busy machine one may not answer in time
  std::string words;                         // for people

  bool small_rings() const { return ring_messages < 16'384; }  // readers that come late find a gap
  bool makes_agents_wait() const { return small_rings() && !small_memory && !hurries_readers; }  // for slow readers
};

Flavour plain_flavour();
Flavour make_flavour(Dice& dice);

}  // namespace chaos
