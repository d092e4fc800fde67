// The input is a Last-Event-ID as a client may send it. Held: it is a number exactly when it has nothing but digits, and then
// the one a plain reading finds, or the largest there is; whoever reads from there gets what comes next, or is told that nobody
// knows the place and gets everything.
#include <string>

#include "acp/event_reader.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

constexpr EventId largest = ~EventId{0};
constexpr EventId newest = 12;
constexpr std::string_view unknown = "event: gap\ndata: {\"reason\":\"unknown_position\"}\n\n";

std::optional<EventId> read_plainly(std::string_view text) {
  if (text.empty()) return std::nullopt;
  EventId value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<EventId>(c - '0');
    value = value > (largest - digit) / 10 ? largest : value * 10 + digit;
  }
  return value;
}

const std::shared_ptr<EventRing>& ring() {
  static RingBudget budget{1u << 20};
  static const auto full = [] {
    auto made = std::make_shared<EventRing>(RingLimits{.max_messages = newest, .max_bytes = 1u << 16}, budget);
    for (EventId id = 1; id <= newest; ++id) made->append(std::to_string(id));
    return made;
  }();
  return full;
}

RunningClock& clock() {
  static Loop loop;
  static RunningClock running(loop);
  return running;
}

std::string read_after(EventId after) {
  EventReader reader(ring(), {.after = after}, clock(), Millis(1'000));
  std::string all;
  for (std::vector<SharedBytes> out; reader.take(out, 1u << 16), !out.empty(); out.clear())
    for (const SharedBytes& piece : out) all += piece.bytes;
  return all;
}

void check(std::string_view input) {
  const auto id = read_event_id(input);
  hold(id == read_plainly(input), "an id is the number that is written");
  if (!id) return;
  std::string expected(*id > newest ? unknown : "");
  for (EventId next = *id > newest ? 1 : *id + 1; next <= newest; ++next)
    expected += "event: message\nid: " + std::to_string(next) + "\ndata: " + std::to_string(next) + "\n\n";
  hold(read_after(*id) == expected, "who names a place goes on behind it");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
