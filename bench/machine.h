// The machine the figures are of, as /proc describes it.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

struct Machine {
  std::string processor;
  int cores;
  std::int64_t memory_mib;
  std::string kernel;
};

Machine this_machine();

}  // namespace bench
