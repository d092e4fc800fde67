#include "acp/event_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "acp/event_reader.h"

namespace sa {
namespace {

constexpr std::string_view before_id = "event: message\nid: ";
constexpr std::string_view before_data = "\ndata: ";
constexpr std::string_view after_data = "\n\n";
constexpr std::size_t longest_framing = before_id.size() + 20 + before_data.size() + after_data.size();
constexpr std::size_t slack_divisor = 16;
constexpr std::size_t spare_divisor = 64;  // of all rings together: what a cut frees beyond what it must, so that cuts are rare
constexpr std::size_t client_share = 4;    // clients' messages may take a quarter of the ring's bytes on top of it

}  // namespace

EventRing::EventRing(RingLimits limits, RingBudget& budget) : limits_(limits), budget_(budget) { budget_.rings_.insert(this); }

EventRing::~EventRing() {
  budget_.bytes_ -= bytes();
  budget_.rings_.erase(this);
}

void RingBudget::grown(std::size_t by) {
  bytes_ += by;
  while (bytes_ > max_bytes_ && cut_largest(max_bytes_ - max_bytes_ / spare_divisor)) {
  }
}

// Cuts the largest rings to one size, such that all have about `total` together: what clients said in them first. False when
// none has anything to give.
bool RingBudget::cut_largest(std::size_t total) {
  std::vector<EventRing*> rings;
  std::ranges::copy_if(rings_, std::back_inserter(rings), &EventRing::can_shrink);
  std::ranges::sort(rings, std::greater(), &EventRing::bytes);
  const std::size_t excess = bytes_ - total;
  std::size_t level = 0, together = 0;
  for (std::size_t count = 0; count < rings.size() && rings[count]->bytes() > level; ++count) {
    together += rings[count]->bytes();
    level = together > excess ? (together - excess) / (count + 1) : 0;
  }
  const auto is_too_large = [&](const EventRing& ring) { return bytes_ > total && ring.bytes() > level; };
  for (EventRing* ring : rings)
    while (is_too_large(*ring) && !ring->client_.empty()) ring->drop_oldest_client();
  for (EventRing* ring : rings)
    while (is_too_large(*ring) && ring->agent_.count() > 1) ring->drop_oldest();
  return !rings.empty();
}

void EventRing::drop_oldest() {
  budget_.bytes_ -= agent_.size(agent_.first());
  before_last_lost_ = agent_.tag(agent_.first());
  agent_.drop_front();
}

void EventRing::drop_oldest_client() {
  budget_.bytes_ -= client_.size(client_.first());
  client_.drop_front();
}

// The oldest event that would remain if `count` events of `size` bytes together came on top. Existing events all go before
// the new ones do.
EventId EventRing::first_kept_after(std::size_t count, std::size_t size) const {
  EventId keep = agent_.first();
  std::size_t kept_count = agent_.count() + count;
  std::size_t kept_bytes = agent_.bytes() + size;
  while (keep <= agent_.last() && (kept_count > limits_.max_messages || kept_bytes > limits_.max_bytes)) {
    --kept_count;
    kept_bytes -= agent_.size(keep++);
  }
  return keep;
}

// The oldest event that a reader who keeps reading still needs.
EventId EventRing::first_needed(TimePoint now) const {
  EventId needed = agent_.last() + 1;
  for (const EventReader* reader : readers_)
    if (reader->may_hold(now)) needed = std::min(needed, reader->next());
  return needed;
}

EventId EventRing::append(std::string_view payload, bool spare_readers, TimePoint now) {
  const auto is_full = [this, size = payload.size() + longest_framing] {
    return agent_.count() + 1 > limits_.max_messages || agent_.bytes() + size > limits_.max_bytes;
  };
  if (is_full()) {
    const EventId keep = spare_readers ? first_needed(now) : agent_.last() + 1;
    while (agent_.first() < keep && is_full()) drop_oldest();
  }
  const fmt::format_int number(agent_.last() + 1);
  const EventId id =
      agent_.append({before_id, {number.data(), number.size()}, before_data, payload, after_data}, client_.last());
  budget_.grown(agent_.size(id));
  ++budget_.counters.events;
  return id;
}

void EventRing::append_client(std::string_view payload) {
  const EventId id = client_.append({"event: client\ndata: ", payload, after_data}, agent_.last());
  while (client_.count() > 1 && (client_.count() > limits_.max_messages || client_.bytes() > limits_.max_bytes / client_share))
    drop_oldest_client();
  budget_.grown(client_.size(id));
  for (EventReader* reader : readers_)
    if (reader->includes_client()) reader->wake();
}

void EventRing::withdraw_client() {
  if (!client_.empty()) budget_.bytes_ -= client_.size(client_.last());
  client_.drop_back();
}

EventId EventRing::first_client_after(EventId event) const {
  if (event >= agent_.first()) return agent_.tag(event) + 1;
  EventId first = client_.first();
  while (first <= client_.last() && client_.tag(first) < event) ++first;
  return std::min(first, before_last_lost_ + 1);
}

void EventRing::close() {
  closed_ = true;
  wake_readers();
}

void EventRing::keep_newest() {
  while (agent_.count() > 1) drop_oldest();
  while (!client_.empty()) drop_oldest_client();
  agent_.shrink();
}

SharedBytes EventRing::payload(EventId id) const {
  SharedBytes event = agent_.event(id);
  const std::size_t prefix = before_id.size() + fmt::format_int(id).size() + before_data.size();
  event.bytes = event.bytes.substr(prefix, event.bytes.size() - prefix - after_data.size());
  return event;
}

EventId EventRing::first_kept_for(std::size_t size, bool with_slack) const {
  const std::size_t count = 1 + (with_slack ? limits_.max_messages / slack_divisor : 0);
  const std::size_t room = size + longest_framing + (with_slack ? limits_.max_bytes / slack_divisor : 0);
  return first_kept_after(count, room);
}

bool EventRing::would_lap(std::size_t size, bool with_slack, TimePoint now) const {
  const EventId keep = first_kept_for(size, with_slack);
  if (keep == agent_.first()) return false;
  return std::ranges::any_of(readers_,
                             [&](const EventReader* reader) { return reader->next() < keep && reader->may_hold(now); });
}

void EventRing::stop_waiting_for_laggards(std::size_t size, TimePoint now) {
  const EventId keep = first_kept_for(size, true);  // all for whom the pause lasted, also one that gained a little meanwhile
  for (EventReader* reader : readers_)
    if (reader->next() < keep && reader->may_hold(now)) reader->forfeit();
}

void EventRing::wake_readers() {
  for (EventReader* reader : readers_) reader->wake();
}

}  // namespace sa
