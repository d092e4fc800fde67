#include "cli/grown_text.h"

#include <algorithm>

namespace sa {
namespace {

constexpr std::string_view cut_byte = "\uFFFD";
constexpr int most_cut = 3;              // a character has four bytes
constexpr std::size_t no_accident = 32;  // bytes that two texts have in common because they overlap

std::string_view without_cut_begin(std::string_view text) {
  for (int i = 0; i < most_cut && text.starts_with(cut_byte); ++i) text.remove_prefix(cut_byte.size());
  return text;
}

std::string_view without_cut_end(std::string_view text) {
  for (int i = 0; i < most_cut && text.ends_with(cut_byte); ++i) text.remove_suffix(cut_byte.size());
  return text;
}

}  // namespace

Gain gained(std::string_view before, std::string_view now) {
  if (now.starts_with(before)) return {now.substr(before.size())};
  before = without_cut_end(before);
  if (now.starts_with(before)) return {now.substr(before.size())};
  now = without_cut_begin(now);
  std::size_t common = std::min(before.size(), now.size());
  while (!before.ends_with(now.substr(0, common))) --common;
  return {now.substr(common), common >= no_accident || common == before.size() || common == now.size()};
}

}  // namespace sa
