#include "io/async_fd.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <string>

#include "io/timer.h"

namespace sa {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    reader = UniqueFd(ends[0]);
    writer = UniqueFd(ends[1]);
  }
  void write(std::string_view text) const {
    CHECK(::write(writer.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

  UniqueFd reader;
  UniqueFd writer;
};

bool take(Signal& signal) { return signal.wait().await_ready(); }

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

}  // namespace

TEST_CASE("a descriptor becomes non-blocking and close-on-exec, and is closed with its owner") {
  Loop loop;
  Pipe pipe;
  const int fd = pipe.reader.get();
  {
    AsyncFd reader(loop, std::move(pipe.reader));
    CHECK(reader.is_open());
    CHECK(reader.get() == fd);
    CHECK((::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK_FALSE(is_open(fd));
  AsyncFd none;
  CHECK_FALSE(none.is_open());
  CHECK(none.get() == -1);
}

TEST_CASE("the signal is notified once per arming when there is something to read") {
  Loop loop;
  Pipe pipe;
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal signal(loop);
  char bytes[8];
  CHECK(reader.may_read());
  CHECK(reader.read(bytes, sizeof bytes) == -1);
  CHECK_FALSE(reader.may_read());
  reader.arm_read(signal);
  pipe.write("x");
  loop.run();
  CHECK(take(signal));
  CHECK(reader.may_read());
  CHECK(reader.read(bytes, sizeof bytes) == 1);
  CHECK(reader.read(bytes, sizeof bytes) == -1);
  CHECK_FALSE(reader.may_read());
}

TEST_CASE("a descriptor that is lent wakes nobody; once it is taken back all is reported that is there") {
  Loop loop;
  Pipe pipe;
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal before(loop), after(loop);
  char bytes[8];
  CHECK(reader.read(bytes, sizeof bytes) == -1);
  reader.arm_read(before);
  reader.lend();
  pipe.write("xy");
  loop.poll();
  CHECK_FALSE(take(before));
  CHECK_FALSE(reader.may_read());
  CHECK(::read(reader.get(), bytes, 1) == 1);  // the other thread
  reader.take_back();
  reader.arm_read(after);
  loop.run();
  CHECK(take(after));
  CHECK_FALSE(take(before));
  CHECK(reader.read(bytes, sizeof bytes) == 1);
}

TEST_CASE("what is already there is noticed, and so is the end of the other side") {
  for (const bool writes : {true, false}) {
    Loop loop;
    Pipe pipe;
    AsyncFd reader(loop, std::move(pipe.reader));
    Signal signal(loop);
    if (writes) pipe.write("x");
    pipe.writer.reset();
    reader.arm_read(signal);
    loop.run();
    CHECK(take(signal));
  }
}

TEST_CASE("what a short buffer left is noticed without anything new, and so is an end behind the last bytes") {
  Loop loop;
  Pipe pipe;
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal signal(loop);
  pipe.write("abc");
  pipe.writer.reset();
  char bytes[8];
  CHECK(reader.read(bytes, 2) == 2);
  for (const ssize_t expected : {1, 0}) {
    reader.arm_read(signal);
    CHECK_FALSE(take(signal));  // others come first
    loop.run();
    CHECK(take(signal));
    CHECK(reader.read(bytes, sizeof bytes) == expected);
  }
}

TEST_CASE("of a pipe in packet mode nothing is left behind") {
  Loop loop;
  Pipe pipe;
  REQUIRE(::fcntl(pipe.writer.get(), F_SETFL, O_DIRECT) == 0);
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal signal(loop);
  char bytes[8];
  CHECK(reader.read(bytes, sizeof bytes) == -1);
  reader.arm_read(signal);
  pipe.write("a");
  pipe.write("b");
  loop.run();
  CHECK(take(signal));
  CHECK(reader.read(bytes, sizeof bytes) == 1);
  CHECK(reader.may_read());
  CHECK(reader.read(bytes, sizeof bytes) == 1);
}

TEST_CASE("room to write that came while nobody waited is not forgotten") {
  Loop loop;
  Pipe pipe;
  AsyncFd writer(loop, std::move(pipe.writer));
  Signal signal(loop);
  const std::string block(1u << 20, 'x');
  CHECK(::write(writer.get(), block.data(), block.size()) > 0);
  writer.arm_write(signal);
  writer.disarm();
  std::string drained(block.size(), '\0');
  CHECK(::read(pipe.reader.get(), drained.data(), drained.size()) > 0);
  Timer a_round(loop);
  a_round.arm_in(Millis(0), [] {});
  loop.run();
  writer.arm_write(signal);
  loop.run();
  CHECK(take(signal));
}

TEST_CASE("of two signals armed one after the other the later is notified") {
  Loop loop;
  Pipe pipe;
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal first(loop), second(loop);
  reader.arm_read(first);
  reader.arm_read(second);
  pipe.write("x");
  loop.run();
  CHECK_FALSE(take(first));
  CHECK(take(second));
}

TEST_CASE("reading and writing are waited for separately") {
  Loop loop;
  Pipe pipe;
  AsyncFd writer(loop, std::move(pipe.writer));
  Signal signal(loop);
  writer.arm_write(signal);
  loop.run();
  CHECK(take(signal));
}

TEST_CASE("a disarmed signal is not notified, and can be armed anew for what comes") {
  Loop loop;
  Pipe pipe;
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal before(loop), after(loop);
  reader.arm_read(before);
  reader.disarm();
  reader.arm_read(after);
  pipe.write("x");
  loop.run();
  CHECK_FALSE(take(before));
  CHECK(take(after));
}

TEST_CASE("closing ends a wait without a notification") {
  Loop loop;
  Pipe pipe;
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal signal(loop);
  pipe.write("x");
  reader.arm_read(signal);
  reader.close();
  CHECK_FALSE(reader.is_open());
  loop.run();
  CHECK_FALSE(take(signal));
}

TEST_CASE("a released descriptor stays open and is nobody's business any more") {
  Loop loop;
  Pipe pipe;
  AsyncFd reader(loop, std::move(pipe.reader));
  Signal signal(loop);
  reader.arm_read(signal);
  const UniqueFd released = reader.release();
  CHECK_FALSE(reader.is_open());
  pipe.write("x");
  loop.run();
  CHECK_FALSE(take(signal));
  char byte = 0;
  CHECK(::read(released.get(), &byte, 1) == 1);
}

TEST_CASE("assigning closes what was held before") {
  Loop loop;
  Pipe first, second;
  const int old = first.reader.get();
  AsyncFd fd(loop, std::move(first.reader));
  fd = AsyncFd(loop, std::move(second.reader));
  CHECK_FALSE(is_open(old));
  CHECK(fd.is_open());
}

}  // namespace sa
