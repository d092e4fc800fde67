// The log of one instance: what the agent said, numbered densely from 1, and beside it what clients said to the agent.
// Bounded by count and bytes; readers are cursors into it and cost nothing else. Loop thread only. Shared by the instance and
// its readers, so that a reader can finish after the instance is gone.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "acp/event_track.h"
#include "base/limits.h"
#include "io/signal.h"

namespace sa {

class EventReader;
class EventRing;

// Of all rings, since the start.
struct RingCounters {
  std::uint64_t events = 0;      // messages of agents, numbered
  std::uint64_t deliveries = 0;  // such messages handed to a reader
  std::uint64_t gaps = 0;        // readers told that they missed something
  std::uint64_t readers = 0;     // readers that came
};

// All rings together: when they hold too much, the largest lose their oldest events, clients' messages before those of agents.
// One per daemon.
class RingBudget {
 public:
  explicit RingBudget(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  RingCounters counters;
  std::size_t bytes() const { return bytes_; }

 private:
  friend class EventRing;
  void grown(std::size_t by);
  bool cut_largest(std::size_t total);
  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::set<EventRing*> rings_;
};

class EventRing {
 public:
  EventRing(RingLimits limits, RingBudget& budget);
  ~EventRing();
  EventRing(const EventRing&) = delete;

  // Appends a message of the agent and returns its number. With `spare_readers` nothing is dropped that a reader who keeps
  // reading still needs: the ring grows beyond its limits instead (used for the little an ended agent left behind).
  EventId append(std::string_view payload, bool spare_readers = false, TimePoint now = {});
  void append_client(std::string_view payload);
  void withdraw_client();  // the last append_client(): it did not reach the agent after all. Before anybody could read it
  // Ends the log: readers end when they have read the rest.
  void close();
  bool closed() const { return closed_; }
  // Forgets all but the agent's newest event: a later reader gets a gap, and then how it ended.
  void keep_newest();

  EventId newest() const { return agent_.last(); }
  EventId oldest() const { return agent_.first(); }
  std::size_t bytes() const { return agent_.bytes() + client_.bytes(); }
  // The message of an event as the agent wrote it.
  SharedBytes payload(EventId id) const;

  // Would appending a payload of `size` bytes drop what a reader who keeps reading has not read? Then reading from the agent
  // should pause. `with_slack` asks for a sixteenth of the ring on top: a pause, once begun, ends when it was worth it.
  bool would_lap(std::size_t size, bool with_slack, TimePoint now) const;
  // Such readers have held the agent long enough: they get a gap.
  void stop_waiting_for_laggards(std::size_t size, TimePoint now);

  // The first of the clients' messages that were sent behind an event, gone or not. If that event and the next are gone, those
  // do not count that are gone with their place: the gap of events tells of them.
  EventId first_client_after(EventId event) const;

  void wake_readers();
  std::size_t readers() const { return readers_.size(); }
  // Called when a reader moved on or left; the instance waits for that while it pauses.
  void set_room_listener(Signal* listener) { room_listener_ = listener; }

  const EventTrack& agent_track() const { return agent_; }
  const EventTrack& client_track() const { return client_; }
  const RingLimits& limits() const { return limits_; }

 private:
  friend class EventReader;
  friend class RingBudget;
  EventId first_kept_after(std::size_t count, std::size_t size) const;
  EventId first_needed(TimePoint now) const;
  EventId first_kept_for(std::size_t size, bool with_slack) const;
  bool can_shrink() const { return agent_.count() > 1 || !client_.empty(); }
  void drop_oldest();
  void drop_oldest_client();

  RingLimits limits_;
  RingBudget& budget_;
  EventTrack agent_;              // tag: the newest message of a client when it was said
  EventTrack client_;             // tag: the newest agent event when it was sent
  EventId before_last_lost_ = 0;  // the tag of the agent's newest event that is gone
  std::set<EventReader*> readers_;
  Signal* room_listener_ = nullptr;
  bool closed_ = false;
};

}  // namespace sa
