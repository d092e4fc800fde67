// Reads the event stream of the contract byte by byte as it is written there; every deviation is a fault. Made for
// volume: whole events are parsed in place and only an unfinished tail is kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rig {

struct SseEvent {
  enum class Kind { message, client, gap, heartbeat };
  Kind kind = Kind::heartbeat;
  std::uint64_t id = 0;   // of a message
  std::string_view data;  // lives until the sink returns
};

class SseParser {
 public:
  // Calls sink(const SseEvent&) for each complete event. The sink returns false to drop everything after it.
  template <typename Sink>
  void feed(std::string_view bytes, Sink&& sink) {
    const bool joining = !tail_.empty();
    if (joining) tail_.append(bytes);
    std::string_view text = joining ? std::string_view(tail_) : bytes;
    SseEvent event;
    std::size_t used = 0;
    while (fault_.empty() && (used = next_event(text, event)) > 0) {
      text.remove_prefix(used);
      searched_ = 0;
      if (!sink(event)) {
        text = {};
        break;
      }
    }
    if (joining) {
      tail_.erase(0, tail_.size() - text.size());
    } else {
      tail_.assign(text);
    }
  }

  // The first deviation from the format, empty if there was none.
  const std::string& fault() const { return fault_; }
  bool between_events() const { return tail_.empty(); }

 private:
  // Bytes of the first event in `text`, or 0 if it is not complete (or broken).
  std::size_t next_event(std::string_view text, SseEvent& event);
  void note_fault(std::string_view text, const char* why);

  std::string tail_;
  std::size_t searched_ = 0;  // no end of line in the first so many bytes of the unfinished event's data
  std::string fault_;
};

// The bounds of a gap event, and what else it says.
struct Gap {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::string reason;
  std::uint64_t client_messages = 0;
  bool has_bounds = false;
  bool operator==(const Gap&) const = default;
};
// Throws when the data is not the object a gap carries.
Gap parse_gap(std::string_view data);

}  // namespace rig
