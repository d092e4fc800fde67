// Encoded events in a row: appended at the back, dropped from the front, numbered densely from 1. The bytes lie contiguously in
// shared segments, so a reader sends many events with one piece and no copy, and what it is sending survives a drop.
// Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "base/shared_bytes.h"

namespace sa {

using EventId = std::uint64_t;

class EventTrack {
 public:
  // The encoded event is the concatenation of `pieces`; `tag` is the caller's.
  EventId append(std::initializer_list<std::string_view> pieces, std::uint64_t tag = 0);
  void drop_front();
  void drop_back();  // the newest, whose number is free again; that of one that is gone from the front too
  void shrink();     // to the memory of its one event; when there is one

  bool empty() const { return entries_.empty(); }
  std::size_t count() const { return entries_.size(); }
  std::size_t bytes() const { return bytes_; }
  EventId first() const { return first_; }  // the oldest kept; last() + 1 when empty
  EventId last() const { return first_ + entries_.size() - 1; }
  std::uint64_t tag(EventId id) const { return at(id).tag; }
  std::size_t size(EventId id) const { return at(id).size; }

  SharedBytes event(EventId id) const;
  // Events from `id` up to `until` (inclusive), as far as they lie in one segment and stay within about `max_bytes`;
  // at least one. `next` receives the first event not included.
  SharedBytes run(EventId id, EventId until, std::size_t max_bytes, EventId& next) const;

 private:
  struct Segment {
    explicit Segment(std::size_t size) : data(new char[size]), capacity(size) {}
    std::unique_ptr<char[]> data;
    std::size_t capacity;
    std::size_t used = 0;
  };
  struct Entry {
    std::uint64_t tag;
    std::uint64_t segment;  // counted from the first ever
    std::size_t offset;
    std::size_t size;
  };

  const Entry& at(EventId id) const { return entries_[id - first_]; }
  const std::shared_ptr<Segment>& segment(const Entry& entry) const { return segments_[entry.segment - first_segment_]; }
  char* reserve(std::size_t size);

  std::deque<Entry> entries_;
  std::deque<std::shared_ptr<Segment>> segments_;
  std::shared_ptr<Segment> spare_;  // the last full one given up that nobody reads any more; the next to be filled
  EventId first_ = 1;
  std::uint64_t first_segment_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace sa
