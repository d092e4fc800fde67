#include "acp/event_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sa {

std::optional<EventId> read_event_id(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  EventId id = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), id);
  return parsed.ec == std::errc::result_out_of_range ? ~EventId{0} : id;
}

EventReader::EventReader(std::shared_ptr<EventRing> ring, ReaderStart start, RunningClock& clock, Millis stall)
    : ring_(std::move(ring)), clock_(clock), stall_(stall), include_client_(start.include_client) {
  const EventId after = start.after.value_or(0);
  unknown_position_ = start.other_instance || after > ring_->newest();
  if (!unknown_position_) next_ = after + 1;
  // Clients' messages have no number: a reader that comes back gets those sent since the event it names.
  if (include_client_ && next_ > 1) next_client_ = ring_->first_client_after(after);
  ring_->readers_.insert(this);
  ++ring_->budget_.counters.readers;
}

EventReader::~EventReader() {
  if (blocked_) clock_.unwatch();
  ring_->readers_.erase(this);
  if (ring_->room_listener_) ring_->room_listener_->notify();
}

bool EventReader::ended() const { return ring_->closed() && next_ > ring_->newest(); }

void EventReader::on_blocked() {
  if (std::exchange(blocked_, true)) return;
  clock_.watch();
  blocked_since_ = clock_.now();
}

void EventReader::on_progress() {
  if (std::exchange(blocked_, false)) clock_.unwatch();
  if (ring_->room_listener_) ring_->room_listener_->notify();
}

bool EventReader::within_half() const {
  const EventTrack& track = ring_->agent_track();
  if (next_ > track.last()) return true;
  if (track.last() + 1 - next_ > ring_->limits().max_messages / 2) return false;
  std::size_t behind = 0;
  for (EventId id = next_; id <= track.last(); ++id) behind += track.size(id);
  return behind <= ring_->limits().max_bytes / 2;
}

void EventReader::say_gap(std::vector<SharedBytes>& out, std::string_view data) {
  out.push_back(SharedBytes::own(fmt::format("event: gap\ndata: {}\n\n", data)));
  ++ring_->budget_.counters.gaps;
}

void EventReader::take_gaps(std::vector<SharedBytes>& out) {
  const EventTrack& agent = ring_->agent_track();
  const EventTrack& client = ring_->client_track();
  EventId lost_client = 0;
  if (include_client_ && next_client_ < client.first())
    lost_client = client.first() - std::exchange(next_client_, client.first());
  if (next_ < agent.first()) {
    const std::string suffix = lost_client > 0 ? fmt::format(",\"clientMessages\":{}", lost_client) : "";
    say_gap(out, fmt::format("{{\"from\":{},\"to\":{}{}}}", next_, agent.first() - 1, suffix));
    next_ = agent.first();
  } else if (lost_client > 0) {
    say_gap(out, fmt::format("{{\"clientMessages\":{}}}", lost_client));
  }
}

// The next of the clients' messages, if its place is before the next event.
bool EventReader::take_client(std::vector<SharedBytes>& out, std::size_t& left) {
  const EventTrack& client = ring_->client_track();
  if (!include_client_ || next_client_ > client.last() || client.tag(next_client_) >= next_) return false;
  out.push_back(client.event(next_client_++));
  left -= std::min(left, out.back().bytes.size());
  return true;
}

void EventReader::take(std::vector<SharedBytes>& out, std::size_t max_bytes) {
  const EventTrack& agent = ring_->agent_track();
  const EventTrack& client = ring_->client_track();
  std::size_t left = max_bytes;
  if (std::exchange(unknown_position_, false)) say_gap(out, R"({"reason":"unknown_position"})");
  if (next_client_ >= client.first()) {  // what clients said before the first lost event stands before the gap
    while (left > 0 && take_client(out, left)) {
    }
    if (left == 0) return;
  }
  take_gaps(out);
  while (left > 0) {
    if (take_client(out, left)) continue;
    if (next_ > agent.last()) break;
    EventId until = agent.last();
    if (include_client_ && next_client_ <= client.last()) until = std::min(until, client.tag(next_client_));
    if (!out.empty() && agent.size(next_) > left) break;
    const EventId from = next_;
    out.push_back(agent.run(from, until, left, next_));
    ring_->budget_.counters.deliveries += next_ - from;
    left -= std::min(left, out.back().bytes.size());
  }
  if (forfeited_ && within_half()) forfeited_ = false;
}

}  // namespace sa
