// The HTTP server with real sockets: it runs on its own thread, the test is a blocking client.
#include "http/server.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <future>
#include <thread>

namespace sa {
namespace {

using namespace std::chrono_literals;

using Answer = std::function<Task<Response>(Request&, std::uint64_t& limit)>;

class TestServer {
 public:
  explicit TestServer(Answer answer, HttpLimits limits = {}) : pool_(loop_), server_(loop_, pool_, limits) {
    server_.set_application(std::move(answer));
    int error = 0;
    port_ = server_.listen("127.0.0.1", 0, error).value().port;
    server_.start_accepting();
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~TestServer() {
    loop_.post([this] { spawn(end()); });
    thread_.join();
  }

  Loop& loop() { return loop_; }
  std::uint16_t port() const { return port_; }
  void drain() {
    loop_.post([this] { server_.drain(); });
  }

 private:
  Task<> end() {
    Signal ended(loop_);
    server_.set_drained_signal(&ended);
    server_.drain();
    server_.abort_all();
    while (server_.connections() > 0) co_await ended.wait();
    server_.set_drained_signal(nullptr);
    loop_.stop();
  }

  Loop loop_;
  WorkerPool pool_;
  HttpServer server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

struct Reply {
  int status = 0;
  std::string head;
  std::string body;
};

class TestClient {
 public:
  explicit TestClient(const TestServer& server, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{20, 0};
    const int at_once = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (receive_buffer > 0) ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  bool connected() const { return connected_; }
  void close() { socket_.reset(); }
  void send(std::string_view text) {
    CHECK(::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
  }
  void get(std::string_view target, std::string_view more = "") { send(request("GET", target, more)); }
  void post(std::string_view more, std::string_view body = "") { send(request("POST", "/", more) + std::string(body)); }

  static std::string request(std::string_view method, std::string_view target, std::string_view more) {
    return std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n" + std::string(more) + "\r\n";
  }

  // False at the end of the stream.
  bool receive() {
    char buffer[65536];
    const ssize_t n = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (n < 0) REQUIRE_MESSAGE(errno != EAGAIN, "nothing came for twenty seconds; so far: ", in_);
    if (n > 0) in_.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }
  std::string until(std::string_view end) {
    std::size_t at = 0;
    while ((at = in_.find(end)) == std::string::npos) REQUIRE_MESSAGE(receive(), "the connection ended after: ", in_);
    return cut(at + end.size());
  }
  std::string exactly(std::size_t size) {
    while (in_.size() < size) REQUIRE_MESSAGE(receive(), "the connection ended after: ", in_);
    return cut(size);
  }
  std::string rest() {
    while (receive()) {
    }
    return std::exchange(in_, {});
  }
  Reply head() {
    Reply reply;
    reply.head = until("\r\n\r\n");
    reply.status = std::stoi(reply.head.substr(9, 3));
    return reply;
  }
  Reply reply() {
    Reply reply = head();
    const std::size_t length = reply.head.find("content-length: ");
    if (length != std::string::npos) reply.body = exactly(std::stoul(reply.head.substr(length + 16)));
    return reply;
  }

 private:
  std::string cut(std::size_t size) {
    std::string front = in_.substr(0, size);
    in_.erase(0, size);
    return front;
  }

  UniqueFd socket_;
  std::string in_;
  bool connected_ = false;
};

Task<Response> echo_target(Request& request, std::uint64_t&) { co_return Response::text(std::string(request.target)); }

Task<Response> echo_body(Request& request, std::uint64_t& limit) {
  limit = 10;
  auto body = co_await request.body->all();
  co_return body ? Response::text(std::move(*body)) : problem(body.error());
}

Task<Response> echo_pieces(Request& request, std::uint64_t&) {
  std::string whole;
  for (;;) {
    const auto piece = co_await request.body->next();
    if (!piece) co_return problem(piece.error());
    if (piece->empty()) co_return Response::text(std::move(whole));
    whole.append(*piece);
  }
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("requests follow each other on one connection, whole, pipelined or byte by byte") {
  TestServer server(echo_target);
  TestClient client(server);
  client.get("/1");
  CHECK(client.reply().body == "/1");
  client.send("\r\n" + client.request("GET", "/2", "") + client.request("GET", "/3", "") + client.request("GET", "/4", ""));
  for (const char* target : {"/2", "/3", "/4"}) CHECK(client.reply().body == target);
  for (const char byte : client.request("GET", "/5", "")) client.send({&byte, 1});
  const Reply last = client.reply();
  CHECK(last.body == "/5");
  CHECK(last.head.starts_with("HTTP/1.1 200 OK\r\ndate: "));
  CHECK_FALSE(contains(last.head, "connection:"));
}

TEST_CASE("a connection is closed when the client says so, and kept for HTTP/1.0 only on request") {
  TestServer server(echo_target);
  TestClient closing(server);
  closing.get("/", "Connection: close\r\n");
  CHECK(contains(closing.reply().head, "\r\nconnection: close\r\n"));
  CHECK(closing.rest().empty());
  TestClient old(server);
  old.send("GET / HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n");
  CHECK(contains(old.reply().head, "\r\nconnection: keep-alive\r\n"));
  old.send("GET / HTTP/1.0\r\nHost: h\r\n\r\n");
  CHECK(old.reply().status == 200);
  CHECK(old.rest().empty());
}

TEST_CASE("a HEAD request gets the head only, and the next answer follows at once") {
  TestServer server(echo_target);
  TestClient client(server);
  client.send(client.request("HEAD", "/12345", "") + client.request("GET", "/6", ""));
  CHECK(contains(client.head().head, "\r\ncontent-length: 6\r\n"));
  CHECK(client.reply().body == "/6");
}

TEST_CASE("a malformed request is answered with 400 and ends the connection, what follows is not looked at") {
  TestServer server(echo_target);
  TestClient client(server);
  client.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + client.request("GET", "/2", ""));
  const Reply reply = client.reply();
  CHECK(reply.status == 400);
  CHECK(contains(reply.head, "application/problem+json"));
  CHECK(contains(reply.head, "\r\nconnection: close\r\n"));
  CHECK(client.rest().empty());
}

TEST_CASE("bodies arrive whole, sized or chunked, at once or in pieces") {
  TestServer server(echo_body);
  TestClient client(server);
  client.post("Content-Length: 5\r\n", "hello");
  CHECK(client.reply().body == "hello");
  client.post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  CHECK(client.reply().body == "abcde");
  for (const char byte : client.request("POST", "/", "Transfer-Encoding: chunked\r\n") + "a\r\n0123456789\r\n0\r\n\r\n")
    client.send({&byte, 1});
  CHECK(client.reply().body == "0123456789");
  client.post("Content-Length: 0\r\n");
  CHECK(client.reply().body.empty());
}

TEST_CASE("a large body goes through in pieces") {
  TestServer server(echo_pieces);
  TestClient client(server);
  std::string body;
  for (int i = 0; body.size() < 300'000; ++i) body += std::to_string(i);
  client.post("Content-Length: " + std::to_string(body.size()) + "\r\n");
  std::thread sender([&] { client.send(body); });
  const Reply reply = client.reply();
  sender.join();
  CHECK(reply.body == body);
}

TEST_CASE("a client that expects 100 Continue gets it once the body is wanted, and not when it is not") {
  TestServer server([](Request& request, std::uint64_t& limit) {
    return request.target == "/" ? echo_body(request, limit) : echo_target(request, limit);
  });
  TestClient client(server);
  client.post("Content-Length: 2\r\nExpect: 100-continue\r\n");
  CHECK(client.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ok");
  CHECK(client.reply().body == "ok");
  client.post("Content-Length: 11\r\nExpect: 100-continue\r\n");
  CHECK(client.reply().status == 413);
  TestClient other(server);
  other.send(other.request("PUT", "/unread", "Content-Length: 2\r\nExpect: 100-continue\r\n"));
  CHECK(other.reply().body == "/unread");
}

TEST_CASE("a body over the limit is refused with the limit, sized before it is sent, chunked when it is passed") {
  TestServer server(echo_body);
  for (const auto& [framing, body] : {std::pair<std::string, std::string>{"Content-Length: 11\r\n", ""},
                                      {"Content-Length: 11\r\n", "0123456789x"},
                                      {"Transfer-Encoding: chunked\r\n", "6\r\n012345\r\n5\r\n6789x\r\n"}}) {
    CAPTURE(framing);
    CAPTURE(body);
    TestClient client(server);
    client.post(framing, body);
    const Reply reply = client.reply();
    CHECK(reply.status == 413);
    CHECK(contains(reply.body, "\"limit\":10"));
  }
}

TEST_CASE("a broken chunk is answered with 400 and ends the connection") {
  TestServer server(echo_body);
  TestClient client(server);
  client.post("Transfer-Encoding: chunked\r\n", "zz\r\n" + client.request("GET", "/", ""));
  CHECK(client.reply().status == 400);
  CHECK(client.rest().empty());
}

TEST_CASE("an unread body is skipped when it is there, and ends the connection when it is not") {
  TestServer server(echo_target);
  TestClient client(server);
  client.send(client.request("POST", "/1", "Content-Length: 5\r\n") + "hello" +
              client.request("POST", "/2", "Transfer-Encoding: chunked\r\n") + "2\r\nhi\r\n0\r\n\r\n" +
              client.request("POST", "/3", "Content-Length: 5\r\n"));
  CHECK(client.reply().body == "/1");
  CHECK(client.reply().body == "/2");
  const Reply last = client.reply();
  CHECK(last.body == "/3");
  CHECK(contains(last.head, "\r\nconnection: close\r\n"));
}

TEST_CASE("an unread chunked body does not delay the answer, wherever it stops") {
  TestServer server(echo_target);
  for (const char* body : {"", "5", "5\r\n", "5\r\nhel", "5\r\nhello", "5\r\nhello\r\n", "5\r\nhello\r\n0\r\n"}) {
    CAPTURE(std::string(body));
    TestClient client(server);
    client.post("Transfer-Encoding: chunked\r\n", body);
    const Reply reply = client.reply();
    CHECK(reply.body == "/");
    CHECK(contains(reply.head, "\r\nconnection: close\r\n"));
  }
}

TEST_CASE("a head over the limit is refused: 414 when it is the target, 431 when it is the fields") {
  HttpLimits limits;
  limits.max_head_bytes = 1000;
  TestServer server(echo_target, limits);
  TestClient target(server);
  target.send("GET /" + std::string(2000, 'a'));
  CHECK(target.reply().status == 414);
  CHECK(target.rest().empty());
  TestClient fields(server);
  fields.get("/", "X: " + std::string(2000, 'a') + "\r\n");
  const Reply reply = fields.reply();
  CHECK(reply.status == 431);
  CHECK(contains(reply.body, "\"limit\":1000"));
  TestClient fits(server);
  fits.get("/", "X: " + std::string(900, 'a') + "\r\n");
  CHECK(fits.reply().status == 200);
}

TEST_CASE("a head or a body that stops arriving is answered with 408, silence alone with nothing") {
  HttpLimits limits;
  limits.head_timeout = limits.body_timeout = limits.idle_timeout = 300ms;  // we must be able to say something before
  TestServer server(echo_body, limits);
  TestClient slow_head(server), slow_body(server), silent(server), idle(server);
  slow_head.send("GET / HT");
  slow_body.post("Content-Length: 5\r\n", "hel");
  idle.get("/");
  CHECK(slow_head.reply().status == 408);
  CHECK(slow_head.rest().empty());
  CHECK(slow_body.reply().status == 408);
  CHECK(slow_body.rest().empty());
  CHECK(silent.rest().empty());
  CHECK(idle.reply().status == 200);
  CHECK(idle.rest().empty());
}

namespace {

struct HangUp {
  std::promise<void> waiting;
  std::promise<void> noticed;
};

Task<Response> wait_for_hang_up(Request& request, Loop& loop, HangUp& hang_up) {
  Signal wake(loop);
  bool first = true;
  while (!request.client->gone(wake)) {
    if (std::exchange(first, false)) hang_up.waiting.set_value();
    co_await wake.wait();
  }
  hang_up.noticed.set_value();
  co_return Response::client_gone();
}

}  // namespace

TEST_CASE("a problem about a head has its body, also after a HEAD request") {
  HttpLimits limits;
  limits.head_timeout = 300ms;
  TestServer server(echo_target, limits);
  TestClient client(server);
  client.send(TestClient::request("HEAD", "/", "") + "GET / HT");
  CHECK(client.head().status == 200);
  const Reply late = client.reply();
  CHECK(late.status == 408);
  CHECK(late.body.ends_with("}"));
}

TEST_CASE("one blank line before a request is skipped, a flood of them is refused") {
  TestServer server(echo_target);
  TestClient polite(server);
  polite.send("\r\n" + TestClient::request("GET", "/", ""));
  CHECK(polite.reply().status == 200);
  TestClient rude(server);
  std::string blank;
  for (int i = 0; i < 1'000; ++i) blank += "\r\n";
  rude.send(blank);
  CHECK(rude.reply().status == 400);
}

TEST_CASE("a handler that waits notices that its client hung up, also behind a pipelined request") {
  for (const char* behind : {"", "GET /next HTTP/1.1\r\nHost: h\r\n\r\n"}) {
    HangUp hang_up;
    TestServer* at = nullptr;
    TestServer server([&](Request& request, std::uint64_t&) { return wait_for_hang_up(request, at->loop(), hang_up); });
    at = &server;
    TestClient client(server);
    client.get("/");
    hang_up.waiting.get_future().wait();
    client.send(behind);
    client.close();
    CHECK(hang_up.noticed.get_future().wait_for(20s) == std::future_status::ready);
  }
}

TEST_CASE("at the limit of connections the next one waits until one ends") {
  HttpLimits limits;
  limits.max_connections = 1;
  TestServer server(echo_target, limits);
  TestClient first(server);
  first.get("/first");
  CHECK(first.reply().body == "/first");
  TestClient second(server);
  second.get("/second");
  first.close();
  CHECK(second.reply().body == "/second");
}

namespace {

Task<Response> wait_for(Signal& go, std::promise<void>& waiting) {
  waiting.set_value();
  co_await go.wait();
  co_return Response::text("done");
}

}  // namespace

TEST_CASE("what was asked before the end is answered, also when nobody has heard of it yet") {
  TestServer server(echo_target);
  TestClient known(server);
  known.get("/known");
  CHECK(known.reply().body == "/known");
  std::promise<void> busy, go_on;
  server.loop().post([&] {
    busy.set_value();
    go_on.get_future().wait();
  });
  server.drain();
  busy.get_future().wait();
  known.get("/known");
  TestClient unknown(server);
  unknown.get("/unknown");
  go_on.set_value();
  CHECK(known.reply().body == "/known");
  CHECK(unknown.reply().body == "/unknown");
  CHECK_FALSE(TestClient(server).connected());
}

TEST_CASE("draining ends idle connections, lets a busy one answer, and takes no new ones") {
  std::promise<void> waiting;
  std::unique_ptr<Signal> go;
  TestServer server([&](Request&, std::uint64_t&) { return wait_for(*go, waiting); });
  go = std::make_unique<Signal>(server.loop());
  TestClient idle(server), busy(server);
  busy.get("/");
  waiting.get_future().wait();
  server.drain();
  CHECK(idle.rest().empty());
  CHECK_FALSE(TestClient(server).connected());
  server.loop().post([&] { go->notify(); });
  const Reply reply = busy.reply();
  CHECK(reply.body == "done");
  CHECK(contains(reply.head, "\r\nconnection: close\r\n"));
  CHECK(busy.rest().empty());
}

}  // namespace sa
