// The first two bytes cut the rest, which a program writes in a few pieces; after each its last 24 bytes are looked at, as
// `logs
// --follow` does. Held: what a look adds is the end of what is there, and none of it twice; with what was shown before it says
// all that is there, but for characters that were cut.
// Inputs: at most 128 bytes.
#include <string>

#include "base/output_tail.h"
#include "base/utf8.h"
#include "cli/grown_text.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

constexpr std::size_t kept = 24;
constexpr std::string_view cut = "\uFFFD";

std::string_view without_cuts(std::string_view text) {
  while (text.starts_with(cut)) text.remove_prefix(cut.size());
  while (text.ends_with(cut)) text.remove_suffix(cut.size());
  return text;
}

// The end of `shown` and `now` are the same, as far as both go, once those that were cut are left out.
bool says(std::string shown, std::string_view now) {
  now = without_cuts(now);
  shown = without_cuts(shown);
  return shown.ends_with(now);
}

void check_look(std::string_view before, std::string_view now, std::size_t written) {
  const std::string_view more = gained(before, now).text;
  hold(now.ends_with(more) && is_utf8(more), "what is added is the end of what is there");
  if (before.empty()) return hold(more == now, "at first all is new");
  std::string_view whole = before;
  for (int i = 0; i < 3 && whole.ends_with(cut) && !now.starts_with(before); ++i) whole.remove_suffix(cut.size());
  hold(says(std::string(whole) + std::string(more), now), "nothing is left out");
  constexpr std::size_t most_mended = 3;  // bytes that a malformed one becomes; those of a cut character are shown again
  if (written < kept) hold(more.size() <= (written + 3) * most_mended, "and nothing comes again");
}

void check(std::string_view input) {
  OutputTail tail(kept);
  std::string before;
  for (const std::string_view piece : CutInput(input).few(6)) {
    tail.append(piece);
    const std::string now = tail.text();
    check_look(before, now, piece.size());
    before = now;
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
