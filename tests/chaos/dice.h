// Numbers that depend on a seed and on nothing else. A value; one thread.
#pragma once

#include <cstdint>

namespace chaos {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t roll() {  // SplitMix64
    std::uint64_t value = state_ += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
  }
  // Both ends included.
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + roll() % (most - least + 1); }
  bool one_in(std::uint64_t chances) { return roll() % chances == 0; }
  template <typename List>
  const auto& pick(const List& list) {
    return list[roll() % std::size(list)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace chaos
