// The table of what a fake agent can do. A behaviour is performed when a line with its name as method arrives; if the
// line has an id, the behaviour answers it unless its comment says otherwise. Each family keeps its own rows; this
// joins them.
#pragma once

#include <span>
#include <string_view>

#include "agent.h"

namespace fake {

using Behaviour = void (*)(Agent&, const Envelope&);

struct BehaviourRow {
  std::string_view method;
  Behaviour perform;
};

std::span<const BehaviourRow> speech_behaviours();
std::span<const BehaviourRow> fault_behaviours();
std::span<const BehaviourRow> surroundings_behaviours();
std::span<const BehaviourRow> tree_behaviours();

Behaviour find_behaviour(std::string_view method);

// Notes what the kernel gave us before anything is changed; call first in main.
void remember_surroundings();

}  // namespace fake
