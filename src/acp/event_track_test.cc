#include "acp/event_track.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

constexpr std::size_t everything = 1u << 30;

std::string run(const EventTrack& track, EventId id, EventId until, std::size_t max_bytes, EventId& next) {
  return std::string(track.run(id, until, max_bytes, next).bytes);
}

}  // namespace

TEST_CASE("events are numbered from one and found by number") {
  EventTrack track;
  CHECK(track.empty());
  CHECK(track.first() == 1);
  CHECK(track.last() == 0);
  CHECK(track.append({"a", "", "bc"}, 7) == 1);
  CHECK(track.append({"d"}) == 2);
  CHECK(track.event(1).bytes == "abc");
  CHECK(track.event(2).bytes == "d");
  CHECK(track.tag(1) == 7);
  CHECK(track.size(1) == 3);
  CHECK(track.bytes() == 4);
  CHECK(track.count() == 2);
}

TEST_CASE("numbers go on after everything was dropped") {
  EventTrack track;
  track.append({"a"});
  track.append({"b"});
  track.drop_front();
  track.drop_front();
  CHECK(track.empty());
  CHECK(track.bytes() == 0);
  CHECK(track.first() == 3);
  CHECK(track.last() == 2);
  CHECK(track.append({"c"}) == 3);
  CHECK(track.event(3).bytes == "c");
}

TEST_CASE("a run is contiguous bytes up to a number or a size, and at least one event") {
  EventTrack track;
  for (const char* text : {"one", "two", "three", "four"}) track.append({text});
  EventId next = 0;
  CHECK(run(track, 1, 4, everything, next) == "onetwothreefour");
  CHECK(next == 5);
  CHECK(run(track, 2, 3, everything, next) == "twothree");
  CHECK(next == 4);
  CHECK(run(track, 1, 4, 7, next) == "onetwo");
  CHECK(next == 3);
  CHECK(run(track, 3, 4, 1, next) == "three");
  CHECK(next == 4);
  CHECK(run(track, 4, 4, 0, next) == "four");
  CHECK(next == 5);
}

TEST_CASE("runs never split or skip an event, however the segments fall") {
  EventTrack track;
  std::string expected;
  for (int i = 0; i < 3'000; ++i) {
    const std::string text = "<" + std::string(static_cast<std::size_t>(i * 37 % 200), 'x') + std::to_string(i) + ">";
    track.append({text});
    expected += text;
  }
  std::string all;
  int pieces = 0;
  for (EventId next = 1; next <= track.last(); ++pieces) all += run(track, next, track.last(), everything, next);
  CHECK(all == expected);
  CHECK(pieces < 20);
}

TEST_CASE("an event larger than a segment is kept whole") {
  EventTrack track;
  const std::string large(200'000, 'x');
  track.append({"a"});
  track.append({large});
  track.append({"b"});
  EventId next = 0;
  CHECK(track.event(2).bytes == large);
  CHECK(track.event(3).bytes == "b");
  CHECK(run(track, 2, 2, 10, next).size() == large.size());
}

TEST_CASE("bytes somebody holds survive the drop, others are given back") {
  EventTrack track;
  const std::string text(3'000, 'x');
  track.append({text});
  const SharedBytes held = track.event(1);
  std::weak_ptr<const void> second;
  track.append({text});
  second = track.event(2).owner;
  track.append({std::string(50'000, 'y')});
  track.drop_front();
  track.drop_front();
  CHECK(held.bytes == text);
  CHECK(second.expired());
}

TEST_CASE("dropping and appending in turn keeps every event readable") {
  EventTrack track;
  for (std::uint64_t i = 1; i <= 5'000; ++i) {
    const std::string text = std::string((i * 7919) % 900, 'x') + std::to_string(i);
    REQUIRE(track.append({text}, i) == i);
    while (track.bytes() > 20'000 || (i % 500 == 0 && !track.empty())) track.drop_front();
    if (track.empty()) continue;
    CHECK(track.event(i).bytes == text);
    CHECK(track.event(track.first()).bytes.ends_with(std::to_string(track.first())));
    CHECK(track.tag(track.first()) == track.first());
  }
}

TEST_CASE("an oversized event is given back when it is dropped") {
  EventTrack track;
  track.append({"small"});
  track.drop_front();
  track.append({std::string(200'000, 'x')});
  const std::weak_ptr<const void> large = track.event(2).owner;
  track.drop_front();
  CHECK(large.expired());
}

TEST_CASE("memory given up is used again, but not while somebody still reads from it") {
  EventTrack track;
  const auto fill = [&track](char letter, int events) {
    for (int i = 0; i < events; ++i) track.append({std::string(10'000, letter)});
  };
  fill('a', 30);
  const SharedBytes held = track.event(20);
  fill('b', 30);
  while (track.first() < 40) track.drop_front();
  fill('c', 30);
  CHECK(held.bytes == std::string(10'000, 'a'));
  for (EventId id = track.first(); id <= track.last(); ++id)
    CHECK(track.event(id).bytes == std::string(10'000, id <= 60 ? 'b' : 'c'));
}

TEST_CASE("an oversized event that is withdrawn gives its memory back") {
  EventTrack track;
  track.append({"small"});
  track.append({std::string(1u << 20, 'x')});
  const std::weak_ptr<const void> memory = track.event(2).owner;
  track.drop_back();
  CHECK(memory.expired());
  CHECK(track.append({"next"}) == 2);
  CHECK(track.event(1).bytes == "small");
  CHECK(track.event(2).bytes == "next");
}

}  // namespace sa
