#include "acp/event_reader.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace sa {
namespace {

constexpr std::size_t everything = 1u << 30;

struct Log {
  explicit Log(RingLimits limits = {}) : ring(std::make_shared<EventRing>(limits, budget)) {}

  EventReader reader(ReaderStart start = {}) { return EventReader(ring, start, clock, Millis(2'000)); }
  EventReader after(EventId id) { return reader({.after = id}); }
  EventReader observer() { return reader({.after = {}, .include_client = true}); }
  void say(int count) {
    for (; count > 0; --count) ring->append(fmt::format("{}", ring->newest() + 1));
  }

  Loop loop;
  RunningClock clock{loop};
  RingBudget budget{everything};
  std::shared_ptr<EventRing> ring;
};

std::string take(EventReader& reader, std::size_t max_bytes = everything) {
  std::vector<SharedBytes> out;
  reader.take(out, max_bytes);
  std::string all;
  for (const SharedBytes& piece : out) all += piece.bytes;
  return all;
}

std::string message(EventId id, std::string_view data) { return fmt::format("event: message\nid: {}\ndata: {}\n\n", id, data); }
std::string gap(std::string_view data) { return fmt::format("event: gap\ndata: {}\n\n", data); }
std::string client(std::string_view data) { return fmt::format("event: client\ndata: {}\n\n", data); }

// The events first..last of Log::say().
std::string said(EventId first, EventId last) {
  std::string all;
  for (; first <= last; ++first) all += message(first, fmt::format("{}", first));
  return all;
}

const RingLimits three{.max_messages = 3};

}  // namespace

TEST_CASE("replay and live are one path: everything once, in order") {
  Log log;
  log.say(3);
  EventReader reader = log.reader();
  CHECK(take(reader) == said(1, 3));
  CHECK(take(reader).empty());
  log.say(2);
  CHECK(take(reader) == said(4, 5));
  CHECK(reader.next() == 6);
}

TEST_CASE("a reader goes on behind the event it names") {
  Log log;
  log.say(5);
  EventReader middle = log.after(3), start = log.after(0), end = log.after(5);
  CHECK(take(middle) == said(4, 5));
  CHECK(take(start) == said(1, 5));
  CHECK(take(end).empty());
  log.say(1);
  CHECK(take(end) == said(6, 6));
}

TEST_CASE("an event's id is a number, however large, and nothing else") {
  CHECK(read_event_id("0") == 0);
  CHECK(read_event_id("0000000000000000000000042") == 42);
  CHECK(read_event_id("18446744073709551614") == ~EventId{0} - 1);
  CHECK(read_event_id("18446744073709551616") == ~EventId{0});
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "1.0", "1e3", "one"}) CHECK_FALSE(read_event_id(text));
}

TEST_CASE("a position beyond the newest or of another instance is unknown: a gap says so, then comes everything") {
  Log log;
  log.say(2);
  const std::string expected = gap(R"({"reason":"unknown_position"})") + said(1, 2);
  EventReader beyond = log.after(3), far = log.after(~EventId{0}), other = log.reader({.after = 1, .other_instance = true});
  CHECK(take(beyond) == expected);
  CHECK(take(far) == expected);
  CHECK(take(other) == expected);
  CHECK(take(other).empty());
  Log empty;
  EventReader early = empty.after(1);
  CHECK(take(early) == gap(R"({"reason":"unknown_position"})"));
}

TEST_CASE("what fell off the ring is said as a gap, inclusive at both ends") {
  Log log(three);
  log.say(5);
  EventReader fresh = log.reader(), behind = log.after(1), last_lost = log.after(2), fine = log.after(3);
  CHECK(take(fresh) == gap(R"({"from":1,"to":2})") + said(3, 5));
  CHECK(take(behind) == gap(R"({"from":2,"to":2})") + said(3, 5));
  CHECK(take(last_lost) == said(3, 5));
  CHECK(take(fine) == said(4, 5));
}

TEST_CASE("a reader that is lapped while it reads gets a gap, and only what it missed") {
  Log log(three);
  log.say(3);
  EventReader reader = log.reader();
  CHECK(take(reader, 1) == said(1, 1));
  log.say(4);
  CHECK(take(reader) == gap(R"({"from":2,"to":4})") + said(5, 7));
}

TEST_CASE("an unknown position on a ring that lost its start says both") {
  Log log(three);
  log.say(4);
  EventReader reader = log.after(9);
  CHECK(take(reader) == gap(R"({"reason":"unknown_position"})") + gap(R"({"from":1,"to":1})") + said(2, 4));
}

TEST_CASE("bytes bound the ring too, and the newest event is kept whatever its size") {
  Log log({.max_messages = 100, .max_bytes = 1'000});
  for (int i = 0; i < 5; ++i) log.ring->append(std::string(300, 'x'));
  EventReader reader = log.reader();
  CHECK(take(reader).starts_with(gap(R"({"from":1,"to":3})")));
  log.ring->append(std::string(5'000, 'y'));
  CHECK(take(reader) == message(6, std::string(5'000, 'y')));
  CHECK(log.ring->oldest() == 6);
  log.ring->append("z");
  CHECK(log.ring->oldest() == 7);
}

TEST_CASE("a batch is about the size asked for, whole events, at least one") {
  Log log;
  for (int i = 0; i < 4; ++i) log.ring->append(std::string(100, 'x'));
  EventReader reader = log.reader();
  const std::size_t one = message(1, std::string(100, 'x')).size();
  CHECK(take(reader, 1).size() == one);
  CHECK(take(reader, 2 * one + one / 2).size() == 2 * one);
  CHECK(take(reader, everything).size() == one);
}

TEST_CASE("a batch that was taken survives what happens to the ring") {
  Log log(three);
  log.say(3);
  EventReader reader = log.reader();
  std::vector<SharedBytes> batch;
  reader.take(batch, everything);
  for (int i = 0; i < 100; ++i) log.ring->append(std::string(5'000, 'x'));
  std::string all;
  for (const SharedBytes& piece : batch) all += piece.bytes;
  CHECK(all == said(1, 3));
}

TEST_CASE("clients' messages come in their place, without a number, to those who asked") {
  Log log;
  EventReader observer = log.observer(), plain = log.reader();
  log.ring->append_client("a");
  log.say(1);
  log.ring->append_client("b");
  log.ring->append_client("c");
  log.say(2);
  log.ring->append_client("d");
  const std::string expected = client("a") + said(1, 1) + client("b") + client("c") + said(2, 3) + client("d");
  CHECK(take(observer) == expected);
  CHECK(take(plain) == said(1, 3));
  std::string piecewise;
  EventReader late = log.observer();
  for (int i = 0; i < 7; ++i) piecewise += take(late, 1);
  CHECK(piecewise == expected);
}

TEST_CASE("an observer that comes back gets what clients sent since the event it names") {
  Log log;
  log.ring->append_client("a");
  log.say(2);
  log.ring->append_client("b");
  log.say(1);
  EventReader observer = log.reader({.after = 2, .include_client = true});
  CHECK(take(observer) == client("b") + said(3, 3));
}

TEST_CASE("clients' messages never push an agent's message out of its ring, and their own loss is said") {
  Log log({.max_messages = 3, .max_bytes = 1'000});
  log.say(2);
  for (int i = 0; i < 5; ++i) log.ring->append_client(std::to_string(i));
  CHECK(log.ring->oldest() == 1);
  EventReader observer = log.observer();
  CHECK(take(observer) == gap(R"({"clientMessages":2})") + said(1, 2) + client("2") + client("3") + client("4"));
  log.ring->append_client(std::string(2'000, 'x'));
  CHECK(log.ring->oldest() == 1);
  CHECK(take(observer) == client(std::string(2'000, 'x')));
}

TEST_CASE("an observer is told of a client's message that was too large for all rings together, and goes on") {
  RingBudget budget(1'000);
  Log log;
  log.ring = std::make_shared<EventRing>(RingLimits{}, budget);
  EventReader observer = log.observer();
  log.say(1);
  log.ring->append_client(std::string(5'000, 'x'));
  log.say(1);
  CHECK(take(observer) == gap(R"({"clientMessages":1})") + said(1, 2));
  log.ring->append_client(std::string(5'000, 'x'));
  log.ring->append_client("small");
  EventReader late = log.observer(), back = log.reader({.after = 1, .include_client = true});
  CHECK(take(observer) == gap(R"({"clientMessages":1})") + client("small"));
  CHECK(take(late) == gap(R"({"clientMessages":2})") + said(1, 2) + client("small"));
  CHECK(take(back) == gap(R"({"clientMessages":2})") + said(2, 2) + client("small"));
}

TEST_CASE("a client's message that an observer is being sent stays, though the ring has dropped it") {
  RingBudget budget(3'000);
  Log log;
  log.ring = std::make_shared<EventRing>(RingLimits{}, budget);
  EventRing other({}, budget);
  EventReader observer = log.observer();
  const std::string text(2'000, 'x');
  log.ring->append_client(text);
  std::vector<SharedBytes> batch;
  observer.take(batch, everything);
  other.append(std::string(2'000, 'y'));
  CHECK(log.ring->client_track().empty());
  CHECK(batch.at(0).bytes == client(text));
  CHECK(take(observer).empty());
}

TEST_CASE("an observer that comes back is told of clients' messages that are gone since") {
  Log log({.max_messages = 3});
  log.ring->append_client("early");
  log.say(2);
  for (int i = 0; i < 5; ++i) log.ring->append_client(std::to_string(i));
  const std::string kept = client("2") + client("3") + client("4");
  EventReader behind_last = log.reader({.after = 2, .include_client = true});
  CHECK(take(behind_last) == gap(R"({"clientMessages":2})") + kept);
  EventReader behind_first = log.reader({.after = 1, .include_client = true});
  CHECK(take(behind_first) == gap(R"({"clientMessages":2})") + said(2, 2) + kept);
  log.say(3);  // only these are left
  EventReader behind_lost = log.reader({.after = 1, .include_client = true});
  CHECK(take(behind_lost) == gap(R"({"from":2,"to":2,"clientMessages":2})") + kept + said(3, 5));
  EventReader before_oldest = log.reader({.after = 2, .include_client = true});
  CHECK(take(before_oldest) == gap(R"({"clientMessages":2})") + kept + said(3, 5));
  for (int i = 5; i < 9; ++i) log.ring->append_client(std::to_string(i));
  EventReader behind_both = log.reader({.after = 1, .include_client = true});
  CHECK(take(behind_both) ==
        gap(R"({"from":2,"to":2,"clientMessages":6})") + said(3, 5) + client("6") + client("7") + client("8"));
}

TEST_CASE("one gap tells of lost events and lost clients' messages together") {
  Log log({.max_messages = 2, .max_bytes = 1'000});
  for (int i = 0; i < 3; ++i) {
    log.ring->append_client(std::to_string(i));
    log.say(1);
  }
  EventReader observer = log.observer();
  CHECK(take(observer) == gap(R"({"from":1,"to":1,"clientMessages":1})") + client("1") + said(2, 2) + client("2") + said(3, 3));
}

TEST_CASE("a reader ends when the log is closed and read to its end") {
  Log log;
  log.say(1);
  EventReader reader = log.reader();
  log.ring->close();
  CHECK_FALSE(reader.ended());
  CHECK(take(reader) == said(1, 1));
  CHECK(reader.ended());
}

TEST_CASE("a ring that forgot all but the newest event leaves a gap before it and goes on counting") {
  Log log;
  log.say(3);
  log.ring->append_client("{}");
  log.ring->keep_newest();
  CHECK(log.ring->bytes() == said(3, 3).size());
  EventReader fresh = log.reader(), current = log.after(3);
  CHECK(take(fresh) == gap(R"({"from":1,"to":2})") + said(3, 3));
  CHECK(take(current).empty());
  log.say(1);
  CHECK(take(fresh) == said(4, 4));
}

TEST_CASE("readers are counted while they live and keep the ring alive") {
  Log log;
  {
    EventReader reader = log.reader();
    CHECK(log.ring->readers() == 1);
    const std::weak_ptr<EventRing> ring = log.ring;
    log.say(1);
    log.ring.reset();
    CHECK(take(reader) == said(1, 1));
    CHECK_FALSE(ring.expired());
    log.ring = ring.lock();
  }
  CHECK(log.ring->readers() == 0);
}

}  // namespace sa
