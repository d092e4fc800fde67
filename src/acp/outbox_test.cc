#include "acp/outbox.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>

#include <functional>

namespace sa {
namespace {

// An outbox on one end of a pipe; the test reads the other.
struct Piped {
  explicit Piped(std::size_t max_bytes) : outbox(loop, max_bytes) {
    ::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    reader = UniqueFd(ends[0]);
    ::fcntl(ends[1], F_SETPIPE_SZ, 4096);
    outbox.open(AsyncFd(loop, UniqueFd(ends[1])));
  }

  // What is in the pipe now.
  std::string take(std::size_t most = 1u << 20) {
    std::string text(most, '\0');
    const ssize_t n = ::read(reader.get(), text.data(), text.size());
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

  // Lets run() write while the test reads, until nothing waits; then closes.
  std::string read_all() {
    std::string all;
    spawn(read_along(all));
    spawn(run());
    loop.run();
    return all;
  }

  Task<> run() {
    co_await outbox.run(broken);
    loop.stop();
  }
  Task<> read_along(std::string& all) {
    while (outbox.bytes() > 0) {
      all += take(1'000);
      co_await Yield{loop};
    }
    all += take();
    outbox.close();
  }

  Loop loop;
  UniqueFd reader;
  Outbox outbox;
  Signal broken{loop};
};

}  // namespace

TEST_CASE("the first line of a round is written at once, with its newline, and those behind it together when the round ends") {
  Piped pipe(100);
  spawn(pipe.run());
  for (const char* first : {"one", "four"}) {
    CHECK(pipe.outbox.push(first).has_value());
    CHECK(pipe.outbox.bytes() == 0);
    CHECK(pipe.take() == std::string(first) + "\n");
    CHECK(pipe.outbox.push("").has_value());
    CHECK(pipe.outbox.push("three").has_value());
    CHECK(pipe.take().empty());
    pipe.loop.poll();
    CHECK(pipe.outbox.bytes() == 0);
    CHECK(pipe.take() == "\nthree\n");
  }
  pipe.outbox.close();
  pipe.loop.poll();
}

TEST_CASE("lines come out whole and in order however slowly they are read") {
  Piped pipe(10'000'000);
  std::string expected;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::string line = std::string(i * 7 % 300, 'x') + std::to_string(i);
    expected += line + "\n";
    REQUIRE(pipe.outbox.push(line).has_value());
  }
  const std::string large(70'000, 'y');
  REQUIRE(pipe.outbox.push(large).has_value());
  expected += large + "\n";
  CHECK(pipe.outbox.bytes() > 0);
  CHECK(pipe.read_all() == expected);
  CHECK(pipe.outbox.bytes() == 0);
}

TEST_CASE("what waits is counted and bounded, and room comes back when it is read") {
  Piped pipe(10'000);
  REQUIRE(pipe.outbox.push(std::string(4'096 + 8'999, 'x')).has_value());
  CHECK(pipe.outbox.bytes() == 9'000);
  CHECK(pipe.outbox.check(900).has_value());
  const auto full = pipe.outbox.check(1'000);
  REQUIRE_FALSE(full.has_value());
  CHECK(full.error().code == ErrorCode::overloaded);
  CHECK(pipe.read_all().size() == 4'096 + 9'000);
}

TEST_CASE("lines that wait hold little more memory than they are counted for, whatever they came in") {
  Piped pipe(1'000'000);
  std::size_t taken = 0;
  const auto in_a_large_buffer = [] {
    std::string line;
    line.reserve(60'000);
    return line.assign("{}");
  };
  pipe.loop.poll();
  const std::size_t before = ::mallinfo2().uordblks;
  for (; pipe.outbox.check(2).has_value(); ++taken) REQUIRE(pipe.outbox.push(in_a_large_buffer()).has_value());
  CHECK(taken > 10'000);
  CHECK(::mallinfo2().uordblks - before < 3'000'000);
}

TEST_CASE("one line larger than the bound is taken when nothing else waits") {
  Piped pipe(10);
  CHECK(pipe.outbox.check(100'000).has_value());
  REQUIRE(pipe.outbox.push(std::string(100'000, 'x')).has_value());
  CHECK(pipe.outbox.check(0).error().code == ErrorCode::overloaded);
  CHECK(pipe.read_all().size() == 100'001);
}

TEST_CASE("a reader that is gone is an error for this line and the next") {
  Piped pipe(1'000);
  pipe.reader.reset();
  const auto pushed = pipe.outbox.push("x");
  REQUIRE_FALSE(pushed.has_value());
  CHECK(pushed.error().code == ErrorCode::agent_io_failed);
  CHECK(pushed.error().detail.find("EPIPE") != std::string::npos);
  CHECK(pipe.outbox.check(1).error().code == ErrorCode::agent_io_failed);
  CHECK(pipe.outbox.bytes() == 0);
}

TEST_CASE("a reader that goes while nothing waits for it is noticed") {
  for (const bool early : {true, false}) {
    CAPTURE(early);
    Piped pipe(1'000);
    if (early) pipe.reader.reset();
    spawn(pipe.run());
    pipe.loop.poll();
    CHECK(pipe.outbox.broken() == early);
    if (!early) {
      CHECK(pipe.outbox.push("x").has_value());
      CHECK(pipe.take() == "x\n");
      pipe.loop.poll();
      CHECK_FALSE(pipe.outbox.broken());
      pipe.reader.reset();
      pipe.loop.poll();
    }
    CHECK(pipe.outbox.broken());
    CHECK(pipe.broken.wait().await_ready());
    CHECK(pipe.outbox.check(1).error().code == ErrorCode::agent_io_failed);
    pipe.outbox.close();
    pipe.loop.poll();
  }
}

TEST_CASE("closing gives the reader its end, drops what waits and refuses more") {
  Piped pipe(100'000);
  REQUIRE(pipe.outbox.push(std::string(5'000, 'x')).has_value());
  pipe.outbox.close();
  CHECK(pipe.outbox.bytes() == 0);
  CHECK(pipe.take().size() == 4'096);
  char byte = 0;
  CHECK(::read(pipe.reader.get(), &byte, 1) == 0);
  CHECK(pipe.outbox.check(1).error().code == ErrorCode::agent_io_failed);
}

}  // namespace sa
