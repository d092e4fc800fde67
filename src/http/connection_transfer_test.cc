// Bodies that worker threads receive, over a real socket: the client writes from a thread of its own.
#include <doctest/doctest.h>
#include <sys/socket.h>

#include <thread>

#include "http/connection.h"
#include "http/test_socket.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

using Answer = std::function<Task<Response>(Request&, WorkerPool&)>;
using Client = std::function<void(int socket)>;

// Serves one connection until it ends, and returns all it said.
std::string serve(const Client& client, const Answer& answer, std::uint64_t most_bytes = 0, HttpLimits limits = {}) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  std::string received;
  std::thread thread([&, socket = UniqueFd(ends[0])]() mutable {
    client(socket.get());
    received = read_to_end(socket.get());
    socket.reset();
  });
  {
    Loop loop;
    WorkerPool pool(loop);
    HttpContext context(loop, pool, limits);
    context.application = [&](Request& request, std::uint64_t& limit) {
      limit = most_bytes;
      return answer(request, pool);
    };
    spawn(Connection::serve(std::make_unique<Connection>(context, AsyncFd(loop, UniqueFd(ends[1]))),
                            [&](Connection&) { loop.stop(); }));
    loop.run();
  }
  thread.join();
  return received;
}

std::string put(std::size_t length, std::string_view more = "Connection: close\r\n") {
  return "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(length) + "\r\n" + std::string(more) + "\r\n";
}

constexpr std::string_view put_chunked = "PUT / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";

// What a handler received, and how it ended.
struct Received {
  std::string bytes;
  std::optional<Error> error;
  std::thread::id thread;
};

Task<Response> pour_all(Request& request, Received& received) {
  auto sink = [&received](std::string_view piece) -> Result<void> {
    received.thread = std::this_thread::get_id();
    received.bytes += piece;
    if (piece.starts_with("full")) return fail(ErrorCode::no_space, "Full.");
    return {};
  };
  const auto poured = co_await request.body->pour(sink);
  if (!poured) received.error = poured.error();
  co_return poured ? Response::text("done") : problem(poured.error());
}

Task<Response> pull_all(Request& request, WorkerPool& pool, Received& received) {
  auto read_all = [&]() -> Result<bool> {
    received.thread = std::this_thread::get_id();
    for (;;) {
      TRY(const std::string_view piece, request.body->pull());
      if (piece.empty()) return true;
      received.bytes += piece;
    }
  };
  auto begun = co_await request.body->begin();
  const auto read = begun ? co_await pool.run(read_all) : std::unexpected(begun.error());
  if (!read) received.error = read.error();
  co_return read ? Response::text("done") : problem(read.error());
}

Answer pouring(Received& received) {
  return [&received](Request& request, WorkerPool&) { return pour_all(request, received); };
}
Answer pulling(Received& received) {
  return [&received](Request& request, WorkerPool& pool) { return pull_all(request, pool, received); };
}

using Way = Answer (*)(Received&);
constexpr Way both[] = {pouring, pulling};

std::string digits(std::size_t size) {
  std::string text;
  for (int i = 0; text.size() < size; ++i) text += std::to_string(i);
  text.resize(size);
  return text;
}

}  // namespace

TEST_CASE("a body of many megabytes is received on another thread, sized and in chunks") {
  const std::string body = digits(5'000'000);
  for (const Way way : both) {
    Received sized, chunked;
    CHECK(serve([&](int fd) { send_to(fd, put(body.size()) + body); }, way(sized)).ends_with("done"));
    CHECK(sized.bytes == body);
    CHECK(sized.thread != std::this_thread::get_id());
    CHECK(serve([&](int fd) { send_to(fd, std::string(put_chunked) + "4c4b40\r\n" + body + "\r\n0\r\n\r\n"); }, way(chunked))
              .ends_with("done"));
    CHECK(chunked.bytes == body);
  }
}

TEST_CASE("a body that pauses, comes byte by byte or is empty arrives whole") {
  for (const Way way : both) {
    Received slow, empty;
    serve(
        [](int fd) {
          for (const char byte : put(5) + "hello") {
            send_to(fd, {&byte, 1});
            std::this_thread::sleep_for(byte == 'l' ? 10ms : 0ms);
          }
        },
        way(slow));
    CHECK(slow.bytes == "hello");
    CHECK(serve([](int fd) { send_to(fd, put(0)); }, way(empty)).ends_with("done"));
    CHECK(empty.bytes.empty());
  }
}

TEST_CASE("what follows the body is the next request") {
  for (const Way way : both) {
    Received received;
    const std::string twice = put(3, "") + "one" + put(3) + "two";
    const std::string said = serve([&](int fd) { send_to(fd, twice); }, way(received));
    CHECK(received.bytes == "onetwo");
    CHECK(said.find("done") != said.rfind("done"));
  }
}

TEST_CASE("a client that waits for 100 Continue is told to go on") {
  for (const Way way : both) {
    Received received;
    const std::string said = serve(
        [](int fd) {
          send_to(fd, put(5, "Connection: close\r\nExpect: 100-continue\r\n"));
          char interim[25];
          CHECK(::recv(fd, interim, sizeof interim, MSG_WAITALL) == sizeof interim);
          CHECK(std::string_view(interim, sizeof interim) == "HTTP/1.1 100 Continue\r\n\r\n");
          send_to(fd, "hello");
        },
        way(received));
    CHECK(said.ends_with("done"));
    CHECK(received.bytes == "hello");
  }
}

TEST_CASE("a client that vanishes, stops or breaks its chunks is an error, and the sink's error ends it, too") {
  HttpLimits impatient;
  impatient.body_timeout = 30ms;
  for (const Way way : both) {
    Received gone, stalled, broken;
    CHECK(serve(
              [](int fd) {
                send_to(fd, put(10) + "half");
                ::shutdown(fd, SHUT_WR);
              },
              way(gone))
              .empty());
    CHECK(gone.error->code == ErrorCode::invalid_request);
    CHECK(gone.bytes == "half");
    CHECK(serve([](int fd) { send_to(fd, put(10) + "half"); }, way(stalled), 0, impatient).starts_with("HTTP/1.1 408 "));
    CHECK(serve([](int fd) { send_to(fd, std::string(put_chunked) + "zz\r\n"); }, way(broken)).starts_with("HTTP/1.1 400 "));
  }
  Received full;
  CHECK(serve([](int fd) { send_to(fd, put(1'000'000) + "full"); }, pouring(full)).starts_with("HTTP/1.1 507 "));
}

TEST_CASE("a body over the limit is refused: at once when its size is told, else when it is reached") {
  for (const Way way : both) {
    Received sized, chunked;
    CHECK(serve([](int fd) { send_to(fd, put(11)); }, way(sized), 10).starts_with("HTTP/1.1 413 "));
    CHECK(sized.bytes.empty());
    CHECK(serve(
              [](int fd) {
                send_to(fd, std::string(put_chunked) + "8\r\n01234567\r\n8\r\n");
                send_to(fd, "01234567\r\n0\r\n\r\n");
              },
              way(chunked), 10)
              .starts_with("HTTP/1.1 413 "));
    CHECK(chunked.bytes.size() <= 10);
  }
}

}  // namespace sa
