// The fixture trees that every kind of ending must clear away.
#pragma once

#include <string>

#include "support/acp.h"
#include "support/survivors.h"

namespace rig {

inline constexpr const char* tree_kinds[] = {"same_group",   "own_group",  "setsid", "double_fork",
                                             "ignores_term", "child_gone", "storm"};

// Starts an instance and lets it grow a tree of that kind; true once it stands.
inline bool grow_tree(Acp& acp, const std::string& kind) {
  return acp.call("tree", R"({"kind":")" + kind + "\"}").status == 200;
}

}  // namespace rig
