// The instrument itself: the first two bytes cut the rest, which is any stream. Held: the parser of the end-to-end tests finds
// the same events and the same kind of fault however the bytes are cut, and what it found, written anew, is what it read.
#include <string>

#include "fuzz_input.h"
#include "support/sse_parser.h"

namespace sa::fuzz {
namespace {

struct Reading {
  std::string events;  // encoded anew
  std::string fault;   // without the place, which shows as much as had arrived
  bool between_events = false;
  bool operator==(const Reading&) const = default;
};

std::string encoded(const rig::SseEvent& event) {
  const std::string data = std::string(event.data) + "\n\n";
  switch (event.kind) {
    case rig::SseEvent::Kind::message: return "event: message\nid: " + std::to_string(event.id) + "\ndata: " + data;
    case rig::SseEvent::Kind::client: return "event: client\ndata: " + data;
    case rig::SseEvent::Kind::gap: return "event: gap\ndata: " + data;
    case rig::SseEvent::Kind::heartbeat: return ": heartbeat\n\n";
  }
  return {};
}

Reading read(const std::vector<std::string_view>& pieces) {
  rig::SseParser parser;
  Reading reading;
  for (const std::string_view piece : pieces) {
    const std::vector<char> exact(piece.begin(), piece.end());  // so that reading too far is noticed
    parser.feed({exact.data(), exact.size()}, [&](const rig::SseEvent& event) {
      reading.events += encoded(event);
      return true;
    });
  }
  reading.fault = parser.fault().substr(0, parser.fault().find(" at '"));
  reading.between_events = parser.between_events();
  return reading;
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  const CutInput input(text_of(data, size));
  const Reading whole = read({input.whole});
  hold(read(input.pieces()) == whole, "the reading is the same however the bytes are cut");
  hold(input.whole.starts_with(whole.events), "the events are what was read");
  hold(!whole.between_events || !whole.fault.empty() || whole.events == input.whole, "nothing is skipped");
  return 0;
}
