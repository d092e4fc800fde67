// What a ring owes to readers that lag, and to the other rings. What readers see of it is in event_reader_test.cc.
#include "acp/event_ring.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <ranges>

#include "acp/event_reader.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t everything = 1u << 30;
constexpr Millis stall = 2s;

struct Lagging {
  explicit Lagging(RingLimits limits) : ring(std::make_shared<EventRing>(limits, budget)) {}

  std::unique_ptr<EventReader> reader() { return std::make_unique<EventReader>(ring, ReaderStart{}, clock, stall); }
  void fill(std::size_t count, std::size_t size = 1) {
    for (; count > 0; --count) ring->append(std::string(size, 'x'));
  }
  TimePoint now() { return clock.now(); }
  bool would_lap(bool with_slack = false, Millis later = 0ms) { return ring->would_lap(1, with_slack, now() + later); }

  Loop loop;
  RunningClock clock{loop};
  RingBudget budget{everything};
  std::shared_ptr<EventRing> ring;
};

void take(EventReader& reader, int events) {
  for (; events > 0; --events) {
    std::vector<SharedBytes> out;
    reader.take(out, 1);
  }
}

}  // namespace

TEST_CASE("the payload of an event is what was appended") {
  Lagging log({});
  log.fill(9);
  const EventId id = log.ring->append("{\"id\":1}");
  CHECK(id == 10);
  CHECK(log.ring->payload(id).bytes == "{\"id\":1}");
}

TEST_CASE("without readers nothing holds the agent") {
  Lagging log({.max_messages = 4});
  log.fill(10);
  CHECK_FALSE(log.would_lap());
}

TEST_CASE("a reader holds the agent exactly when the next event would push out what it has not read") {
  Lagging log({.max_messages = 4});
  const auto reader = log.reader();
  log.fill(3);
  CHECK_FALSE(log.would_lap());
  log.fill(1);
  CHECK(log.would_lap());
  take(*reader, 1);
  CHECK_FALSE(log.would_lap());
}

TEST_CASE("bytes hold the agent like counts do, also for an event larger than the ring") {
  Lagging log({.max_messages = 1'000, .max_bytes = 1'000});
  const auto reader = log.reader();
  log.fill(2, 300);
  CHECK_FALSE(log.ring->would_lap(100, false, log.now()));
  CHECK(log.ring->would_lap(300, false, log.now()));
  CHECK(log.ring->would_lap(10'000, false, log.now()));
  take(*reader, 1);
  CHECK_FALSE(log.ring->would_lap(300, false, log.now()));
  CHECK(log.ring->would_lap(10'000, false, log.now()));
  take(*reader, 1);
  CHECK_FALSE(log.ring->would_lap(10'000, false, log.now()));
}

TEST_CASE("a pause once begun lasts until a sixteenth of the ring is free") {
  Lagging log({.max_messages = 32});
  const auto reader = log.reader();
  log.fill(32);
  take(*reader, 1);
  CHECK_FALSE(log.would_lap(false));
  CHECK(log.would_lap(true));
  take(*reader, 1);
  CHECK(log.would_lap(true));
  take(*reader, 1);
  CHECK_FALSE(log.would_lap(true));
}

TEST_CASE("a reader that takes no bytes stops holding after the stall, one that takes some holds again") {
  Lagging log({.max_messages = 4});
  const auto reader = log.reader();
  log.fill(4);
  reader->on_blocked();
  CHECK(log.would_lap(false, stall - 500ms));
  CHECK_FALSE(log.would_lap(false, stall + 1ms));
  reader->on_blocked();
  CHECK_FALSE(log.would_lap(false, stall + 1ms));
  reader->on_progress();
  CHECK(log.would_lap(false, 10 * stall));
}

TEST_CASE("one reader that reads holds, whatever the stalled ones do") {
  Lagging log({.max_messages = 4});
  const auto stalled = log.reader(), reading = log.reader();
  stalled->on_blocked();
  log.fill(4);
  CHECK(log.would_lap(false, 2 * stall));
  take(*reading, 4);
  CHECK_FALSE(log.would_lap(false, 2 * stall));
}

TEST_CASE("a reader that held too long forfeits, and may hold again within half a ring") {
  Lagging log({.max_messages = 8});
  const auto reader = log.reader();
  log.fill(8);
  REQUIRE(log.would_lap());
  log.ring->stop_waiting_for_laggards(1, log.now());
  CHECK_FALSE(log.would_lap());
  take(*reader, 3);
  CHECK_FALSE(reader->may_hold(log.now()));
  take(*reader, 1);
  CHECK(reader->may_hold(log.now()));
}

TEST_CASE("a reader that gained a little while it held the agent too long forfeits all the same") {
  Lagging log({.max_messages = 32});
  const auto reader = log.reader();
  log.fill(32);
  REQUIRE(log.would_lap());
  take(*reader, 1);
  REQUIRE(log.would_lap(true));  // so the pause goes on until it is cut short
  log.ring->stop_waiting_for_laggards(1, log.now());
  CHECK_FALSE(reader->may_hold(log.now()));
}

TEST_CASE("half a ring is counted in bytes as well") {
  Lagging log({.max_messages = 100, .max_bytes = 1'000});
  const auto reader = log.reader();
  log.fill(6, 100);
  reader->forfeit();
  take(*reader, 2);
  CHECK_FALSE(reader->may_hold(log.now()));
  take(*reader, 1);
  CHECK(reader->may_hold(log.now()));
}

TEST_CASE("only readers that hold the agent forfeit") {
  Lagging log({.max_messages = 4});
  const auto behind = log.reader(), ahead = log.reader();
  log.fill(4);
  take(*ahead, 1);
  log.ring->stop_waiting_for_laggards(1, log.now());
  CHECK_FALSE(behind->may_hold(log.now()));
  CHECK(ahead->may_hold(log.now()));
}

TEST_CASE("the last words of an agent are appended without dropping what a reader who reads still needs") {
  Lagging log({.max_messages = 4});
  const auto reader = log.reader();
  log.fill(4);
  take(*reader, 2);
  for (int i = 0; i < 3; ++i) log.ring->append("x", true, log.now());
  CHECK(log.ring->oldest() == 3);
  CHECK(log.ring->newest() == 7);
  reader->on_blocked();
  log.ring->append("x", true, log.now() + 2 * stall);
  CHECK(log.ring->oldest() == 5);
}

TEST_CASE("many last words cost as much each as few, also when a reader needs all of them") {
  Lagging log({.max_messages = 16});
  const auto reader = log.reader();
  const TimePoint now = log.now();
  const auto say = [&](int count) {
    const auto begun = Clock::now();
    for (int at = 0; at < count; ++at) log.ring->append("1", true, now);
    return Clock::now() - begun;
  };
  constexpr int some = 20'000;
  const auto first = say(some);
  say(16 * some);
  const auto later = std::min({say(some), say(some), say(some)});  // others use the machine too
  CHECK(log.ring->oldest() == 1);
  CHECK(later < 10 * first);
}

TEST_CASE("the agent is told when a reader moves on or leaves") {
  Lagging log({.max_messages = 4});
  Signal room(log.loop);
  log.ring->set_room_listener(&room);
  auto reader = log.reader();
  CHECK_FALSE(room.wait().await_ready());
  reader->on_progress();
  CHECK(room.wait().await_ready());
  reader.reset();
  CHECK(room.wait().await_ready());
}

TEST_CASE("readers are woken together, and clients' messages wake only those who see them") {
  Lagging log({});
  Signal plain_wake(log.loop), observer_wake(log.loop);
  EventReader plain(log.ring, {}, log.clock, stall),
      observer(log.ring, {.after = {}, .include_client = true}, log.clock, stall);
  plain.set_wake(&plain_wake);
  observer.set_wake(&observer_wake);
  log.ring->append_client("x");
  CHECK_FALSE(plain_wake.wait().await_ready());
  CHECK(observer_wake.wait().await_ready());
  log.ring->wake_readers();
  CHECK(plain_wake.wait().await_ready());
  CHECK(observer_wake.wait().await_ready());
  log.ring->close();
  CHECK(plain_wake.wait().await_ready());
}

TEST_CASE("all rings together are bounded: the largest loses its oldest first, nobody its newest") {
  RingBudget budget(2'000);
  EventRing large({}, budget), small({}, budget);
  for (int i = 0; i < 5; ++i) large.append(std::string(300, 'x'));
  small.append(std::string(100, 'y'));
  CHECK(large.oldest() == 1);
  small.append(std::string(300, 'y'));
  CHECK(large.oldest() == 2);
  CHECK(small.oldest() == 1);
  CHECK(large.bytes() + small.bytes() <= 2'000);
  small.append(std::string(5'000, 'y'));
  CHECK(large.oldest() == large.newest());
  CHECK(small.oldest() == small.newest());
  CHECK(small.payload(3).bytes.size() == 5'000);
}

TEST_CASE("of many rings that are full together the largest are cut to one size, and a cut makes room for some time") {
  constexpr std::size_t limit = 1u << 20;
  RingBudget budget(limit);
  std::deque<EventRing> rings;
  for (int i = 0; i < 20; ++i) rings.emplace_back(RingLimits{}, budget);
  EventRing& quiet = rings.front();
  quiet.append("said early");
  const auto dropped = [&] {
    EventId sum = 0;
    for (const EventRing& ring : rings) sum += ring.oldest() - 1;
    return sum;
  };
  int cuts = 0;
  constexpr int rounds = 1'000;
  for (int round = 0; round < rounds; ++round)
    for (EventRing& ring : rings | std::views::drop(1)) {
      const EventId before = dropped();
      ring.append(std::string(200, 'x'));
      CHECK(budget.bytes() <= limit);
      if (dropped() > before) ++cuts;
    }
  CHECK(quiet.oldest() == 1);
  CHECK(cuts > 0);
  CHECK(cuts < rounds * 19 / 50);
  const auto [least, most] = std::ranges::minmax(rings | std::views::drop(1) | std::views::transform(&EventRing::bytes));
  CHECK(most - least <= limit / 64);
  CHECK(budget.bytes() > limit - limit / 32);
}

TEST_CASE("a ring that goes gives its share back") {
  RingBudget budget(2'000);
  EventRing stays({}, budget);
  {
    EventRing goes({}, budget);
    for (int i = 0; i < 5; ++i) goes.append(std::string(300, 'x'));
  }
  for (int i = 0; i < 5; ++i) stays.append(std::string(300, 'x'));
  CHECK(stays.oldest() == 1);
  for (int i = 0; i < 5; ++i) stays.append_client(std::string(10, 'x'));
  CHECK(stays.oldest() == 1);
  stays.keep_newest();
  for (int i = 0; i < 4; ++i) stays.append(std::string(300, 'x'));
  CHECK(stays.oldest() == 5);
}

TEST_CASE("a ring that keeps its newest event alone has given its memory back") {
  RingBudget budget(1u << 30);
  EventRing ring({}, budget);
  for (int i = 0; i < 1'000; ++i) ring.append(std::string(300, 'x'));
  ring.append("last");
  const std::weak_ptr<const void> large = ring.payload(1'001).owner;
  ring.keep_newest();
  CHECK(large.expired());
  CHECK(ring.oldest() == 1'001);
  CHECK(ring.payload(1'001).bytes == "last");
  CHECK(budget.bytes() == ring.bytes());
}

TEST_CASE("an event larger than the ring is given back when the next one comes") {
  RingBudget budget(1u << 30);
  EventRing ring({.max_messages = 100, .max_bytes = 100'000}, budget);
  ring.append("small");
  ring.append(std::string(200'000, 'x'));
  const std::weak_ptr<const void> large = ring.payload(2).owner;
  ring.append("next");
  CHECK(ring.oldest() == 3);
  CHECK(large.expired());
}

TEST_CASE("a client's message never pushes an agent's message out") {
  RingBudget budget(1'900);
  EventRing ring({.max_messages = 100, .max_bytes = 4'000}, budget);
  ring.append(std::string(400, 'x'));
  ring.append(std::string(400, 'x'));
  for (int i = 0; i < 30; ++i) ring.append_client(std::string(100, 'c'));
  CHECK(ring.bytes() <= 1'900);
  CHECK(ring.oldest() == 1);
}

TEST_CASE("a client's message larger than all rings together pushes nothing out but itself") {
  RingBudget budget(2'000);
  EventRing asked({}, budget), busy({}, budget);
  asked.append(std::string(100, 'a'));
  for (int i = 0; i < 4; ++i) busy.append(std::string(300, 'b'));
  asked.append_client(std::string(5'000, 'c'));
  CHECK(budget.bytes() == asked.bytes() + busy.bytes());
  CHECK(budget.bytes() <= 2'000);
  CHECK(asked.client_track().empty());
  CHECK(asked.oldest() == 1);
  for (int i = 0; i < 10; ++i) busy.append("b");
  CHECK(busy.oldest() == 1);
}

TEST_CASE("where all rings are full together the clients' messages of the large ones go before any agent's") {
  RingBudget budget(3'000);
  EventRing busy({}, budget), asked({}, budget);
  for (int i = 0; i < 4; ++i) busy.append(std::string(300, 'b'));
  asked.append(std::string(100, 'a'));
  asked.append_client(std::string(1'500, 'c'));
  CHECK(asked.client_track().count() == 1);
  busy.append(std::string(200, 'b'));
  CHECK(asked.client_track().empty());
  CHECK(busy.oldest() == 1);
}

TEST_CASE("a client's message that did not reach the agent is withdrawn") {
  RingBudget budget(1u << 20);
  EventRing ring({}, budget);
  ring.append_client("{\"a\":1}");
  ring.append_client("{\"b\":2}");
  ring.withdraw_client();
  CHECK(ring.client_track().count() == 1);
  ring.append_client("{\"c\":3}");
  CHECK(ring.client_track().event(2).bytes == "event: client\ndata: {\"c\":3}\n\n");
}

TEST_CASE("a client's message that was too large to keep can be withdrawn, and is not counted as lost then") {
  RingBudget budget(1'000);
  EventRing ring({}, budget);
  ring.append_client("{\"a\":1}");
  ring.append_client(std::string(5'000, 'c'));
  ring.withdraw_client();
  CHECK(budget.bytes() == 0);
  ring.append_client("{\"b\":2}");
  CHECK(ring.client_track().event(2).bytes == "event: client\ndata: {\"b\":2}\n\n");
}

}  // namespace sa
