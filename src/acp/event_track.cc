#include "acp/event_track.h"

#include <algorithm>
#include <cstring>

namespace sa {
namespace {

constexpr std::size_t smallest_segment = 4 * 1024;  // an idle instance stays small
constexpr std::size_t largest_segment = 64 * 1024;  // a busy one sends in large pieces; a larger event has its own

}  // namespace

char* EventTrack::reserve(std::size_t size) {
  if (segments_.empty() || segments_.back()->capacity - segments_.back()->used < size) {
    const std::size_t doubled =
        segments_.empty() ? smallest_segment : std::min(2 * segments_.back()->capacity, largest_segment);
    if (spare_ && size <= largest_segment) {
      segments_.push_back(std::move(spare_));
    } else {
      segments_.push_back(std::make_shared<Segment>(std::max(doubled, size)));
    }
  }
  Segment& segment = *segments_.back();
  char* place = segment.data.get() + segment.used;
  entries_.push_back({0, first_segment_ + segments_.size() - 1, segment.used, size});
  segment.used += size;
  return place;
}

EventId EventTrack::append(std::initializer_list<std::string_view> pieces, std::uint64_t tag) {
  std::size_t size = 0;
  for (std::string_view piece : pieces) size += piece.size();
  char* place = reserve(size);
  for (std::string_view piece : pieces) {
    std::memcpy(place, piece.data(), piece.size());
    place += piece.size();
  }
  entries_.back().tag = tag;
  bytes_ += size;
  return last();
}

void EventTrack::drop_front() {
  bytes_ -= entries_.front().size;
  entries_.pop_front();
  ++first_;
  // Without events the last segment stays for the next one, unless it held one oversized event.
  const std::uint64_t last_segment = first_segment_ + segments_.size() - 1;
  const bool keep_last = segments_.back()->capacity <= largest_segment;
  const std::uint64_t needed = !entries_.empty() ? entries_.front().segment : last_segment + (keep_last ? 0 : 1);
  for (; first_segment_ < needed; ++first_segment_) {
    Segment& front = *segments_.front();
    if (front.capacity == largest_segment && segments_.front().use_count() == 1) {
      front.used = 0;
      spare_ = std::move(segments_.front());
    }
    segments_.pop_front();
  }
  if (entries_.empty()) spare_.reset();
}

void EventTrack::drop_back() {
  if (entries_.empty()) {
    --first_;
    return;
  }
  bytes_ -= entries_.back().size;
  segments_.back()->used = entries_.back().offset;
  entries_.pop_back();
  if (segments_.back()->used == 0 && segments_.back()->capacity > largest_segment) segments_.pop_back();
}

void EventTrack::shrink() {
  if (count() != 1) return;
  Entry& only = entries_.front();
  const auto fitting = std::make_shared<Segment>(only.size);
  std::memcpy(fitting->data.get(), segment(only)->data.get() + only.offset, only.size);
  fitting->used = only.size;
  only.segment = first_segment_;
  only.offset = 0;
  segments_.assign(1, fitting);
  spare_.reset();
}

SharedBytes EventTrack::event(EventId id) const {
  const Entry& entry = at(id);
  const std::shared_ptr<Segment>& owner = segment(entry);
  return {owner, {owner->data.get() + entry.offset, entry.size}};
}

SharedBytes EventTrack::run(EventId id, EventId until, std::size_t max_bytes, EventId& next) const {
  SharedBytes bytes = event(id);
  const Entry& from = at(id);
  const auto fits = [&](const Entry& entry) {
    return entry.segment == from.segment && entry.offset + entry.size - from.offset <= max_bytes;
  };
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(id - first_) + 1;
  const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(until - first_) + 1;
  const auto after = std::partition_point(begin, end, fits);
  const Entry& to = *std::prev(after);
  next = id + 1 + static_cast<EventId>(after - begin);
  bytes.bytes = {bytes.bytes.data(), to.offset + to.size - from.offset};
  return bytes;
}

}  // namespace sa
