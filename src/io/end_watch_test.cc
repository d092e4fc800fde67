#include "io/end_watch.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "io/timer.h"

namespace sa {

TEST_CASE("the end of a pipe is told once, and what came before it is dropped") {
  Loop loop;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  int told = 0;
  const EndWatch watch(loop, read_end.get(), [&] {
    ++told;
    loop.stop();
  });
  REQUIRE(::write(write_end.get(), "words", 5) == 5);
  Timer closes(loop);
  closes.arm_in(Millis(1), [&] {
    CHECK(told == 0);
    write_end = UniqueFd();
  });
  Timer patience(loop);
  patience.arm_in(Millis(10'000), [&] { loop.stop(); });
  loop.run();
  CHECK(told == 1);
}

TEST_CASE("a file has no other side to watch") {
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  CHECK_FALSE(EndWatch::can_watch(nothing.get()));
  CHECK_FALSE(EndWatch::can_watch(-1));
  Loop loop;
  const EndWatch watch(loop, nothing.get(), [] { FAIL_CHECK("told"); });
}

}  // namespace sa
