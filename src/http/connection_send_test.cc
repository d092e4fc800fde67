// The kinds of answers, as bytes on a socket: one connection, served on the test's own loop until it ends.
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <deque>
#include <thread>

#include "http/connection.h"
#include "http/test_socket.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
constexpr std::string_view get_1_0 = "GET / HTTP/1.0\r\nHost: h\r\n\r\n";
constexpr std::string_view head = "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

Task<Response> give(Response response) { co_return response; }

enum class Reads : std::uint8_t { always, slowly, after_the_end };

constexpr std::size_t slow_piece = 32 * 1024;
constexpr auto slow_pause = 100ms;

using Pause = std::chrono::steady_clock::duration;

std::string read_slowly(int fd, Pause& longest_pause) {
  std::string all, piece(slow_piece, '\0');
  auto last_read = std::chrono::steady_clock::now();
  for (ssize_t n = 1; n > 0; std::this_thread::sleep_for(slow_pause)) {
    const auto now = std::chrono::steady_clock::now();
    longest_pause = std::max(longest_pause, now - std::exchange(last_read, now));
    n = ::read(fd, piece.data(), piece.size());
    if (n > 0) all.append(piece, 0, static_cast<std::size_t>(n));
  }
  return all;
}

// Sends `request` and returns everything the connection said until it ended. `respond` is called on the loop. A slow reader
// tells its longest pause.
std::string converse(std::string_view request, const std::function<Response(Loop&)>& respond, Reads reads = Reads::always,
                     HttpLimits limits = {}, Pause* longest_pause = nullptr) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  UniqueFd client(ends[0]);
  REQUIRE(::write(client.get(), request.data(), request.size()) == static_cast<ssize_t>(request.size()));
  std::string received;
  std::thread reader;
  if (reads != Reads::after_the_end) {
    reader = std::thread([&] {
      received = reads == Reads::slowly ? read_slowly(client.get(), *longest_pause) : read_to_end(client.get());
      client.reset();
    });
  }
  {
    Loop loop;
    WorkerPool pool(loop);
    HttpContext context(loop, pool, limits);
    context.application = [&](Request&, std::uint64_t&) { return give(respond(loop)); };
    spawn(Connection::serve(std::make_unique<Connection>(context, AsyncFd(loop, UniqueFd(ends[1]))),
                            [&](Connection&) { loop.stop(); }));
    loop.run();
  }
  if (reader.joinable()) reader.join();
  return reads == Reads::after_the_end ? read_to_end(client.get()) : received;
}

// Splits an answer into its head (with the Date line taken out) and the rest.
std::pair<std::string, std::string> split(std::string answer) {
  const std::size_t date = answer.find("date: ");
  REQUIRE(date != std::string::npos);
  answer.erase(date, answer.find("\r\n", date) + 2 - date);
  const std::size_t end = answer.find("\r\n\r\n") + 4;
  return {answer.substr(0, end), answer.substr(end)};
}

FileBody file_with(std::string_view text, std::uint64_t offset, std::uint64_t length) {
  UniqueFd fd(::memfd_create("body", MFD_CLOEXEC));
  REQUIRE(::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  return {std::move(fd), offset, length};
}

Response file_response(FileBody file) {
  Response response;
  response.content_type = "application/octet-stream";
  response.body = std::move(file);
  return response;
}

class ListSource final : public ByteSource {
 public:
  explicit ListSource(std::deque<std::string> pieces) : pieces_(std::move(pieces)) {}
  bool fill(std::string& piece) override {
    piece += pieces_.front();
    pieces_.pop_front();
    return !pieces_.empty();
  }

 private:
  std::deque<std::string> pieces_;
};

Response pieces_response(std::deque<std::string> pieces) {
  Response response = Response::json(std::string());
  response.body = std::make_unique<ListSource>(std::move(pieces));
  return response;
}

// Tells on which thread it ended.
class WatchedSource final : public ByteSource {
 public:
  explicit WatchedSource(std::thread::id& ended_on) : ended_on_(ended_on) {}
  ~WatchedSource() override { ended_on_ = std::this_thread::get_id(); }
  bool fill(std::string& piece) override {
    piece.append(1'000'000, 'x');
    return ++filled_ < 8;
  }

 private:
  std::thread::id& ended_on_;
  int filled_ = 0;
};

Response watched_response(std::thread::id& ended_on) {
  Response response = Response::json(std::string());
  response.body = std::make_unique<WatchedSource>(ended_on);
  return response;
}

// A descriptor whose closing waits, as that of a file may: a connection with bytes that its other end has not taken. It waits
// until that end is gone, `longest` at most.
struct SlowToClose {
  static constexpr std::chrono::seconds longest{5};
  UniqueFd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  UniqueFd other_end;

  SlowToClose() {
    const UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(listener.get(), any, size) == 0);
    REQUIRE(::listen(listener.get(), 1) == 0);
    REQUIRE(::getsockname(listener.get(), any, &size) == 0);
    REQUIRE(::connect(fd.get(), any, size) == 0);
    other_end = UniqueFd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    const std::string bytes(64 * 1024, 'x');
    while (::send(fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) continue;
    const linger wait{1, static_cast<int>(longest.count())};
    REQUIRE(::setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &wait, sizeof wait) == 0);
  }
};

struct StreamFacts {
  int progress = 0;
  int blocked = 0;
};

class ListStream final : public EventStream {
 public:
  ListStream(std::deque<std::string> events, StreamFacts& facts, int end_after_progress = 0)
      : events_(std::move(events)), facts_(facts), end_after_progress_(end_after_progress) {}

  void start(Signal& wake) override { wake_ = &wake; }
  void take(std::vector<SharedBytes>& out, std::size_t max_bytes) override {
    for (std::size_t size = 0; !events_.empty() && size < max_bytes; events_.pop_front()) {
      size += events_.front().size();
      out.push_back(SharedBytes::own(events_.front()));
    }
    behind_ = false;
  }
  bool behind() const override { return behind_; }
  bool ended() const override { return facts_.progress >= end_after_progress_; }
  void on_progress() override {
    ++facts_.progress;
    wake_->notify();
  }
  void on_blocked() override { ++facts_.blocked; }

  void add(std::string event) {
    events_.push_back(std::move(event));
    wake_->notify();
  }
  void lose_some_before(std::string event) {
    behind_ = true;
    add(std::move(event));
  }

 private:
  std::deque<std::string> events_;
  bool behind_ = false;
  StreamFacts& facts_;
  int end_after_progress_;
  Signal* wake_ = nullptr;
};

}  // namespace

TEST_CASE("bytes are sent with their length, owned or shared") {
  for (const bool shared : {false, true}) {
    const auto [top, body] = split(converse(get, [&](Loop&) {
      Response response = shared ? Response::json(SharedBytes::own("{\"a\":1}")) : Response::json(std::string("{\"a\":1}"));
      response.header("acp-event-id", "7");
      return response;
    }));
    CHECK(top ==
          "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 7\r\nacp-event-id: 7\r\nconnection: "
          "close\r\n\r\n");
    CHECK(body == "{\"a\":1}");
  }
}

TEST_CASE("an answer without a body has a length of zero, 204 and 304 have none") {
  CHECK(split(converse(get, [](Loop&) { return Response::empty(202); })).first ==
        "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  CHECK(split(converse(get, [](Loop&) { return Response::empty(204); })).first ==
        "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
  CHECK(split(converse(get, [](Loop&) { return Response::empty(304); })).first ==
        "HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n");
}

TEST_CASE("a body of many megabytes arrives whole") {
  std::string body;
  for (int i = 0; body.size() < 5'000'000; ++i) body += std::to_string(i);
  CHECK(split(converse(get, [&](Loop&) { return Response::text(body); })).second == body);
}

TEST_CASE("a part of a file is sent with the length that was promised") {
  std::string text;
  for (int i = 0; text.size() < 500'000; ++i) text += std::to_string(i);
  const auto [top, body] = split(converse(get, [&](Loop&) { return file_response(file_with(text, 3, 400'000)); }));
  CHECK(top ==
        "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: 400000\r\nconnection: close\r\n\r\n");
  CHECK(body == text.substr(3, 400'000));
  CHECK(split(converse(get, [&](Loop&) { return file_response(file_with("", 0, 0)); })).second.empty());
}

TEST_CASE("a file that is shorter than promised aborts the connection, nothing is made up") {
  const std::string_view twice = "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n";
  const auto [top, body] = split(converse(twice, [&](Loop&) { return file_response(file_with("0123456789", 0, 20)); }));
  CHECK(top.find("content-length: 20\r\n") != std::string::npos);
  CHECK(body == "0123456789");
}

TEST_CASE("a body that is made while it is sent comes in chunks, an empty piece is none") {
  const auto respond = [](Loop&) { return pieces_response({"[1", "", ",2", "]"}); };
  const auto [top, body] = split(converse(get, respond));
  CHECK(top.find("transfer-encoding: chunked\r\n") != std::string::npos);
  CHECK(body == "2\r\n[1\r\n2\r\n,2\r\n1\r\n]\r\n0\r\n\r\n");
  CHECK(split(converse(get_1_0, respond)).second == "[1,2]");
  CHECK(split(converse(head, respond)).second.empty());
}

TEST_CASE("a HEAD request gets the head of bytes, files and streams") {
  StreamFacts facts;
  CHECK(split(converse(head, [](Loop&) { return Response::text("hello"); })).second.empty());
  const auto [top, body] = split(converse(head, [](Loop&) { return file_response(file_with("0123", 0, 4)); }));
  CHECK(top.find("content-length: 4\r\n") != std::string::npos);
  CHECK(body.empty());
  CHECK(split(converse(head, [&](Loop&) {
          return Response::events(std::make_unique<ListStream>(std::deque<std::string>{"x"}, facts));
        })).second.empty());
  CHECK(facts.progress == 0);
}

TEST_CASE("what makes a body ends on another thread, whether it was sent or not") {
  HttpLimits limits;
  limits.write_timeout = 30ms;
  for (const auto& [request, reads, is_gone] :
       {std::tuple(get, Reads::always, false), std::tuple(head, Reads::always, false),
        std::tuple(get, Reads::after_the_end, false), std::tuple(get, Reads::always, true)}) {
    std::thread::id ended_on = std::this_thread::get_id();
    const auto respond = [&](Loop&) {
      Response response = watched_response(ended_on);
      response.hung_up = is_gone;
      return response;
    };
    converse(request, respond, reads, limits);
    CHECK(ended_on != std::this_thread::get_id());
  }
}

TEST_CASE("a file that is slow to close does not hold up the loop, whether it was sent or not") {
  for (const auto& [request, is_gone] : {std::pair(head, false), std::pair(get, false), std::pair(get, true)}) {
    SlowToClose file;
    const TimePoint begin = Clock::now();
    converse(request, [&](Loop& loop) {
      loop.post([&file] { file.other_end.reset(); });
      Response response = file_response({std::move(file.fd), 0, 0});
      response.hung_up = is_gone;
      return response;
    });
    REQUIRE(Clock::now() - begin < SlowToClose::longest - 1s);
  }
}

TEST_CASE("events are chunked and the stream ends with the last chunk") {
  StreamFacts facts;
  const auto [top, body] = split(converse(get, [&](Loop&) {
    return Response::events(std::make_unique<ListStream>(std::deque<std::string>{"one\n\n", "two\n\n"}, facts));
  }));
  CHECK(top ==
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\ncache-control: no-cache\r\n"
        "x-accel-buffering: no\r\nconnection: close\r\n\r\n");
  CHECK(body == "a\r\none\n\ntwo\n\n\r\n0\r\n\r\n");
  CHECK(facts.progress == 1);
  CHECK(facts.blocked == 0);
}

TEST_CASE("a client of HTTP/1.0 gets the events bare, and the end of the connection as their end") {
  StreamFacts facts;
  const auto [top, body] = split(converse(get_1_0, [&](Loop&) {
    return Response::events(std::make_unique<ListStream>(std::deque<std::string>{"one\n\n"}, facts));
  }));
  CHECK(top.find("transfer-encoding") == std::string::npos);
  CHECK(body == "one\n\n");
}

TEST_CASE("events that come later are sent when they come") {
  StreamFacts facts;
  const auto [top, body] = split(converse(get, [&](Loop& loop) {
    auto stream = std::make_unique<ListStream>(std::deque<std::string>{"1"}, facts, 3);
    ListStream* later = stream.get();
    loop.post([&loop, later] {
      later->add("2");
      loop.post([later] { later->add("3"); });
    });
    return Response::events(std::move(stream));
  }));
  CHECK(body == "1\r\n1\r\n1\r\n2\r\n1\r\n3\r\n0\r\n\r\n");
}

TEST_CASE("a client that missed something is told so when it has read what it had, and is cut off when it does not read") {
  HttpLimits limits;
  for (const Reads reads : {Reads::always, Reads::after_the_end}) {
    limits.write_timeout = reads == Reads::always ? 10s : 40ms;
    StreamFacts facts;
    const auto respond = [&](Loop& loop) {
      auto stream = std::make_unique<ListStream>(std::deque<std::string>{"1"}, facts, 2);
      loop.post([later = stream.get()] { later->lose_some_before("gap"); });
      return Response::events(std::move(stream));
    };
    const std::string body = split(converse(get, respond, reads, limits)).second;
    CHECK(body == (reads == Reads::always ? "1\r\n1\r\n3\r\ngap\r\n0\r\n\r\n" : "1\r\n1\r\n"));
  }
}

TEST_CASE("a stream that is silent carries heartbeats") {
  HttpLimits limits;
  limits.heartbeat = 10ms;
  StreamFacts facts;
  const auto respond = [&](Loop&) {
    return Response::events(std::make_unique<ListStream>(std::deque<std::string>{"x"}, facts, 3));
  };
  const std::string beat = "d\r\n: heartbeat\n\n\r\n";
  CHECK(split(converse(get, respond, Reads::always, limits)).second == "1\r\nx\r\n" + beat + beat + "0\r\n\r\n");
}

TEST_CASE("an event once begun is written to its end, however large, and blocking is told to the stream") {
  StreamFacts facts;
  const std::string large(3'000'000, 'x');
  const auto respond = [&](Loop&) {
    return Response::events(std::make_unique<ListStream>(std::deque<std::string>{large, "end"}, facts));
  };
  CHECK(split(converse(get, respond)).second == "2dc6c0\r\n" + large + "\r\n3\r\nend\r\n0\r\n\r\n");
  CHECK(facts.blocked > 0);
}

TEST_CASE("a client that takes nothing is cut off, whatever it was sent") {
  HttpLimits limits;
  limits.write_timeout = 30ms;
  const std::string large(8'000'000, 'x');
  StreamFacts facts;
  const std::function<Response(Loop&)> kinds[] = {
      [&](Loop&) { return Response::text(large); },
      [&](Loop&) { return file_response(file_with(large, 0, large.size())); },
      [&](Loop&) { return pieces_response({large, large}); },
      [&](Loop&) { return Response::events(std::make_unique<ListStream>(std::deque<std::string>{large}, facts)); },
  };
  for (const auto& respond : kinds) {
    const std::string got = converse(get, respond, Reads::after_the_end, limits);
    CHECK(got.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(got.size() < large.size());
  }
  CHECK(facts.blocked > 0);
}

TEST_CASE("a client that takes little at a time gets everything, although the kernel tells of room much later") {
  HttpLimits limits;
  limits.write_timeout = 3 * slow_pause;
  const std::string large(400'000, 'x');
  const std::function<Response(Loop&)> kinds[] = {
      [&](Loop&) { return Response::text(large); },
      [&](Loop&) { return file_response(file_with(large, 0, large.size())); },
  };
  for (const auto& respond : kinds) {
    std::string body;
    for (int tries = 0; tries < 3; ++tries) {  // others use the machine too, and a reader that pauses longer is cut off
      Pause longest_pause{};
      body = split(converse(get, respond, Reads::slowly, limits, &longest_pause)).second;
      if (body == large || longest_pause <= 2 * slow_pause) break;
    }
    CHECK(body == large);
  }
}

TEST_CASE("an upgrade hands the socket over, with what was already read from it") {
  const std::string request = "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\nearly bytes";
  const auto [top, body] = split(converse(request, [](Loop&) {
    Response response = Response::empty(101);
    response.header("upgrade", "echo");
    response.body = Upgrade{[](AsyncFd socket, std::string already_read) {
      const UniqueFd raw = socket.release();
      CHECK(::write(raw.get(), already_read.data(), already_read.size()) == static_cast<ssize_t>(already_read.size()));
    }};
    return response;
  }));
  CHECK(top == "HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\n\r\n");
  CHECK(body == "early bytes");
}

TEST_CASE("an answer to nobody is not sent") {
  CHECK(converse(get, [](Loop&) { return Response::client_gone(); }).empty());
}

}  // namespace sa
