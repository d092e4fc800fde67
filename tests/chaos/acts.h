// Everything that can happen, as rows of a table: a name, how often, and what is done to one of the instances. Each family
// keeps its own rows. An act runs on the main thread and comes back soon.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dice.h"
#include "flavour.h"

namespace chaos {

class World;
struct Slot;

inline constexpr std::size_t slots = 8;

struct Act {
  std::string_view name;
  unsigned weight;
  void (*perform)(World&, Slot&, Dice&);
  bool (*suits)(const Flavour&) = nullptr;  // none: always
};

std::span<const Act> talking();    // what is usual
std::span<const Act> illnesses();  // of agents and their supervisors
std::span<const Act> manners();    // of clients
std::span<const Act> weather();    // around the daemon

std::span<const Act> all_acts();

}  // namespace chaos
