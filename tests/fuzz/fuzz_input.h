// What every fuzz target shares: the input as text, its pieces, and the way to say that a promise was broken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>
#include <vector>

namespace sa::fuzz {

// Ends the process, which is how libFuzzer notices, after naming the promise.
inline void hold(bool kept, const char* promise, std::source_location at = std::source_location::current()) {
  if (kept) return;
  std::fprintf(stderr, "%s:%u: broken promise: %s\n", at.file_name(), at.line(), promise);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Bytes cut as the two bytes `cuts` say: into pieces of two lengths in turn, each from 1 to 256 bytes. Only views.
class CutInput {
 public:
  // The first two bytes of the input cut the rest.
  explicit CutInput(std::string_view input)
      : CutInput(input.substr(0, 2), input.substr(std::min<std::size_t>(input.size(), 2))) {}

  CutInput(std::string_view cuts, std::string_view bytes)
      : whole(bytes), lengths_{length(cuts.size() < 2 ? '\0' : cuts[0]), length(cuts.size() < 2 ? '\0' : cuts[1])} {}

  std::vector<std::string_view> pieces() const { return few(whole.size()); }

  // For those to whom each costs a system call: at most so many, and the last one is all the rest.
  std::vector<std::string_view> few(std::size_t most) const {
    std::vector<std::string_view> some;
    some.reserve(std::min(most, whole.size() / (lengths_[0] + lengths_[1]) * 2 + 2));
    for (std::string_view rest = whole; !rest.empty(); rest.remove_prefix(some.back().size()))
      some.push_back(rest.substr(0, some.size() + 1 == most ? rest.size() : lengths_[some.size() % 2]));
    return some;
  }

  std::string_view whole;

 private:
  static std::size_t length(char c) {
    const auto byte = static_cast<std::uint8_t>(c);
    return (byte % 32 + 1u) * (byte < 128 ? 1 : 8);
  }

  std::size_t lengths_[2];
};

}  // namespace sa::fuzz
