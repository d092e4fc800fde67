#include "io/deadlines.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "io/task.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

// A deadline whose passing is logged by name.
struct Watched {
  Watched(Loop& loop, std::string& the_log, std::string the_name)
      : signal(loop), entry(signal), log(the_log), name(std::move(the_name)) {
    spawn(watch(*this));
  }
  static Task<> watch(Watched& self) {
    co_await self.signal.wait();
    self.log += self.name;
  }

  Signal signal;
  Deadlines::Entry entry;
  std::string& log;
  std::string name;
};

}  // namespace

TEST_CASE("deadlines pass in the order they were armed, and not before their time") {
  Loop loop;
  Deadlines deadlines(loop, 5ms);
  std::string log;
  Watched a(loop, log, "a"), b(loop, log, "b"), c(loop, log, "c");
  const TimePoint start = loop.now();
  for (Watched* one : {&b, &a, &c}) deadlines.arm(one->entry);
  CHECK(a.entry.armed());
  loop.run();
  CHECK(log == "bac");
  CHECK(loop.now() - start >= 5ms);
  CHECK(a.entry.expired());
  CHECK_FALSE(a.entry.armed());
}

TEST_CASE("arming again starts the full time anew and forgets that it had expired") {
  Loop loop;
  Deadlines deadlines(loop, 3ms);
  std::string log;
  Watched a(loop, log, "a"), b(loop, log, "b");
  deadlines.arm(a.entry);
  deadlines.arm(b.entry);
  deadlines.arm(a.entry);
  loop.run();
  CHECK(log == "ba");
  deadlines.arm(a.entry);
  CHECK_FALSE(a.entry.expired());
  CHECK(a.entry.armed());
}

TEST_CASE("a disarmed or destroyed deadline never passes, wherever it stood in the row") {
  Loop loop;
  Deadlines deadlines(loop, 2ms);
  std::string log;
  Watched first(loop, log, "1"), second(loop, log, "2"), third(loop, log, "3"), fourth(loop, log, "4"), fifth(loop, log, "5");
  Signal unwatched(loop);
  std::optional<Deadlines::Entry> gone(std::in_place, unwatched);
  for (Watched* one : {&first, &second, &third}) deadlines.arm(one->entry);
  deadlines.arm(*gone);
  for (Watched* one : {&fourth, &fifth}) deadlines.arm(one->entry);
  first.entry.disarm();
  third.entry.disarm();
  fifth.entry.disarm();
  gone.reset();
  Timer later(loop);
  later.arm_in(10ms, [&] {
    log += " then ";
    for (Watched* one : {&first, &third, &fifth}) one->signal.notify();
  });
  loop.run();
  CHECK(log == "24 then 135");
  CHECK_FALSE(first.entry.expired());
}

TEST_CASE("when the first is disarmed, the next still gets its full time") {
  Loop loop;
  Deadlines deadlines(loop, 8ms);
  std::string log;
  Watched a(loop, log, "a"), b(loop, log, "b");
  Timer later(loop);
  TimePoint armed_at;
  deadlines.arm(a.entry);
  later.arm_in(4ms, [&] {
    armed_at = loop.now();
    deadlines.arm(b.entry);
    a.entry.disarm();
    a.signal.notify();
  });
  loop.run();
  CHECK(log == "ab");
  CHECK(b.entry.expired());
  CHECK(loop.now() - armed_at >= 8ms);
}

TEST_CASE("a duration of zero means never") {
  Loop loop;
  Deadlines never(loop, 0ms);
  Signal signal(loop);
  Deadlines::Entry entry(signal);
  never.arm(entry);
  CHECK_FALSE(entry.armed());
  loop.run();
  CHECK_FALSE(entry.expired());
  CHECK_FALSE(signal.wait().await_ready());
}

}  // namespace sa
