#include "io/read_pipe.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace sa {
namespace {

constexpr std::size_t at_once = 128 * 1024;

struct Pipe {
  Pipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    reader = AsyncFd(loop, UniqueFd(ends[0]));
    writer = UniqueFd(ends[1]);
  }
  // How much of `count` bytes it took.
  std::size_t write(std::size_t count) const {
    const std::string bytes(count, 'x');
    std::size_t taken = 0;
    for (ssize_t n = 0; taken < count && (n = ::write(writer.get(), bytes.data(), count - taken)) > 0;)
      taken += static_cast<std::size_t>(n);
    return taken;
  }

  Loop loop;
  AsyncFd reader;
  UniqueFd writer;
};

}  // namespace

TEST_CASE("a pipe that was widened takes what one read gives, and keeps what lay in it") {
  Pipe pipe;
  const std::size_t before = pipe.write(at_once);
  CHECK(before == pipe_size(pipe.reader));
  CHECK(before < at_once);
  widen_pipe(pipe.reader);
  CHECK(pipe_size(pipe.reader) == at_once);
  CHECK(before + pipe.write(at_once) == at_once);
  std::string_view bytes;
  CHECK(read_pipe(pipe.reader, bytes) == Got::bytes);
  CHECK(bytes.size() == at_once);
  CHECK(read_pipe(pipe.reader, bytes) == Got::nothing_yet);
}

TEST_CASE("a pipe that is wide already stays as it is") {
  Pipe pipe;
  REQUIRE(::fcntl(pipe.writer.get(), F_SETPIPE_SZ, 512 * 1024) == 512 * 1024);
  widen_pipe(pipe.reader);
  CHECK(pipe_size(pipe.reader) == 512 * 1024);
}

TEST_CASE("packets are gathered, and the end comes after the last of them") {
  Pipe pipe;
  REQUIRE(::fcntl(pipe.writer.get(), F_SETFL, O_DIRECT | O_NONBLOCK) == 0);
  CHECK(pipe.write(3) + pipe.write(4) == 7);
  pipe.writer.reset();
  std::string_view bytes;
  CHECK(read_pipe(pipe.reader, bytes) == Got::bytes);
  CHECK(bytes == "xxxxxxx");
  CHECK(read_pipe(pipe.reader, bytes) == Got::end);
}

}  // namespace sa
