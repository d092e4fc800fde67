// A reader of a ring: a position and a filter. Replay and live are one path: whatever is behind the position has been taken,
// whatever is not comes next, and what fell off the ring meanwhile is said as a gap. Owned by whoever sends its bytes (one HTTP
// stream); keeps the ring alive. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "acp/event_ring.h"
#include "io/running_clock.h"

namespace sa {

struct ReaderStart {
  std::optional<EventId> after;  // Last-Event-ID
  bool other_instance = false;   // the position belongs to an instance that is no more
  bool include_client = false;
};

// The number of an event as a client writes it; nothing for what is no number. One beyond 64 bits is the largest there is,
// which is certainly beyond our newest.
std::optional<EventId> read_event_id(std::string_view text);

class EventReader {
 public:
  // `stall`: a reader that takes no bytes for so long, while bytes wait for it, may not hold the agent any more.
  EventReader(std::shared_ptr<EventRing> ring, ReaderStart start, RunningClock& clock, Millis stall);
  ~EventReader();
  EventReader(const EventReader&) = delete;

  void set_wake(Signal* signal) { wake_ = signal; }
  void wake() {
    if (wake_) wake_->notify();
  }

  // Appends what comes next, whole events of about `max_bytes`, and moves on behind it.
  void take(std::vector<SharedBytes>& out, std::size_t max_bytes);
  // Something between its position and the ring's oldest event is gone.
  bool behind() const { return next_ < ring_->oldest(); }
  bool ended() const;
  void on_progress();
  void on_blocked();

  EventId next() const { return next_; }
  bool includes_client() const { return include_client_; }
  // Whether it keeps reading, so that the agent should wait for it. One left behind has lost what it could wait for.
  bool may_hold(TimePoint now) const { return !forfeited_ && !behind() && (!blocked_ || now - blocked_since_ < stall_); }
  void forfeit() { forfeited_ = true; }

 private:
  void say_gap(std::vector<SharedBytes>& out, std::string_view data);
  void take_gaps(std::vector<SharedBytes>& out);
  bool take_client(std::vector<SharedBytes>& out, std::size_t& left);
  bool within_half() const;

  std::shared_ptr<EventRing> ring_;
  RunningClock& clock_;
  Millis stall_;
  bool include_client_;
  bool unknown_position_ = false;
  EventId next_ = 1;
  EventId next_client_ = 1;
  Signal* wake_ = nullptr;
  bool blocked_ = false;
  TimePoint blocked_since_{};
  bool forfeited_ = false;
};

}  // namespace sa
