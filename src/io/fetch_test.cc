#include "io/fetch.h"

#include <doctest/doctest.h>

#include "base/version.h"
#include "io/fetch_test_server.h"

namespace sa {
namespace {

using Kind = FetchError::Kind;

// Answers every request with these bytes and ends the connection.
FetchTestServer::Handler says(std::string bytes) {
  return [bytes = std::move(bytes)](TestPeer& peer, const std::string&) { peer.write(bytes); };
}

// Sends these bytes and then nothing more.
FetchTestServer::Handler says_and_waits(std::string bytes) {
  return [bytes = std::move(bytes)](TestPeer& peer, const std::string&) {
    peer.write(bytes);
    peer.wait_for_close();
  };
}

std::string path_of(const std::string& head) {
  return head.substr(head.find(' ') + 1, head.find(" HTTP") - head.find(' ') - 1);
}

Fetched get(const FetchTestServer& server) { return fetch_all({.url = server.url()}); }

}  // namespace

TEST_CASE("a body is framed by its length, by chunks or by the end of the connection") {
  const FetchTestServer by_length(says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Kind: Plain\r\n\r\nhello and more"));
  const auto plain = get(by_length);
  CHECK(plain.status() == 200);
  CHECK(plain.body == "hello");
  REQUIRE(plain.answer);
  CHECK(plain.answer->bytes == 5);
  CHECK(plain.answer->header("x-kind") == "Plain");
  CHECK(plain.answer->header("X-Kind") == "Plain");
  CHECK(plain.answer->url == by_length.url());
  const FetchTestServer by_chunks(
      says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"));
  CHECK(get(by_chunks).body == "hello");
  const FetchTestServer by_end(says("HTTP/1.0 200 OK\r\n\r\nhello"));
  CHECK(get(by_end).body == "hello");
}

TEST_CASE("a request says who asks, what for, and that one answer is enough") {
  const FetchTestServer server(says("HTTP/1.1 204 No Content\r\n\r\n"));
  CHECK(fetch_all({.url = server.url("/a?b#c"), .headers = {{"Accept", "text/plain"}}}).status() == 204);
  const std::string head = server.heads().at(0);
  CHECK(head.starts_with("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"));
  CHECK(head.contains("\r\nConnection: close\r\n"));
  CHECK(head.contains("\r\nAccept-Encoding: identity\r\n"));
  CHECK(head.contains("\r\nUser-Agent: sandbox-agent/" + std::string(version) + "\r\n"));
  CHECK(head.contains("\r\nAccept: text/plain\r\n"));
  CHECK_FALSE(head.contains("*/*"));
  CHECK_FALSE(head.contains("Content-Length"));
}

TEST_CASE("a body is sent with its length, whatever its size") {
  for (const std::size_t size : {0u, 5u, 3'000'000u}) {
    std::string received;
    {
      const FetchTestServer server([&](TestPeer& peer, const std::string&) {
        received = peer.read_body(size);
        peer.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
      });
      CHECK(fetch_all({.method = "POST", .url = server.url(), .body = std::string(size, 'x')}).status() == 201);
      CHECK(server.heads().at(0).contains("\r\nContent-Length: " + std::to_string(size) + "\r\n"));
    }
    CHECK(received == std::string(size, 'x'));
  }
}

namespace {

// Gives these pieces, then the end.
FetchSource gives(std::vector<std::string> pieces) {
  return [pieces = std::move(pieces), next = std::size_t{0}]() mutable -> Result<std::string> {
    return next < pieces.size() ? pieces[next++] : "";
  };
}

}  // namespace

TEST_CASE("a body from a source goes out as it comes: with its length when that is known, else in chunks") {
  std::string received;
  {
    const FetchTestServer server([&](TestPeer& peer, const std::string& head) {
      received = peer.read_body(head.contains("chunked") ? 25 : 7);
      peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    FetchRequest upload{.method = "PUT", .url = server.url(), .more_body = gives({"one", "four"}), .body_length = 7};
    CHECK(fetch_all(upload).status() == 200);
    CHECK(server.heads().at(0).contains("\r\nContent-Length: 7\r\n"));
    CHECK(received == "onefour");
    upload.more_body = gives({"one", "eleven text"});
    upload.body_length.reset();
    CHECK(fetch_all(upload).status() == 200);
    CHECK(server.heads().at(1).contains("\r\nTransfer-Encoding: chunked\r\n"));
    CHECK_FALSE(server.heads().at(1).contains("Content-Length"));
  }
  CHECK(received.starts_with("3\r\none\r\nb\r\neleven text"));
}

TEST_CASE("a source that fails, or gives another length than was said, ends the request") {
  const FetchTestServer server([](TestPeer& peer, const std::string&) { peer.wait_for_close(); });
  FetchRequest upload{.method = "PUT", .url = server.url(), .more_body = gives({"one"}), .body_length = 7};
  CHECK(fetch_all(upload).failed_as(Kind::protocol));
  upload.body_length = 2;
  CHECK(fetch_all(upload).failed_as(Kind::protocol));
  upload.more_body = []() -> Result<std::string> { return fail(ErrorCode::not_found, "It is gone."); };
  const auto broken = fetch_all(upload);
  REQUIRE(broken.failed_as(Kind::source));
  CHECK(broken.answer.error().cause->detail == "It is gone.");
  StopFlag stop = true;
  upload.stop = &stop;
  CHECK(fetch_all(upload).failed_as(Kind::stopped));
}

TEST_CASE("an upload from a source is not sent twice: a redirect of it is an error, a refusal of it an answer") {
  const FetchTestServer redirects(says("HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"));
  CHECK(fetch_all({.method = "PUT", .url = redirects.url(), .more_body = gives({"one"})}).failed_as(Kind::protocol));
  CHECK(redirects.heads().size() == 1);
  const FetchTestServer refuses(says("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"));
  const auto refused = fetch_all({.method = "PUT", .url = refuses.url(), .more_body = gives({"one"}), .body_length = 3});
  CHECK(refused.status() == 413);
}

TEST_CASE("credentials in a URL become a header and are in no answer") {
  const FetchTestServer server(says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const std::string port = std::to_string(server.port());
  const auto fetched = fetch_all({.url = "http://user:word@127.0.0.1:" + port + "/"});
  REQUIRE(fetched.answer);
  CHECK(server.heads().at(0).contains("\r\nAuthorization: Basic dXNlcjp3b3Jk\r\n"));
  CHECK(fetched.answer->url == "http://127.0.0.1:" + port + "/");
}

TEST_CASE("an answer of any status is an answer; what a refusal says is kept and the sink gets nothing") {
  const FetchTestServer server(says("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone"));
  const auto fetched = get(server);
  CHECK(fetched.status() == 404);
  CHECK(fetched.answer->refusal == "gone");
  CHECK(fetched.answer->bytes == 0);
  CHECK(fetched.body.empty());
  const FetchTestServer large(says("HTTP/1.1 500 Oops\r\n\r\n" + std::string(200'000, 'x')));
  CHECK(get(large).answer->refusal.size() == 64 * 1024);
  const FetchTestServer broken(says("HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\nhalf"));
  CHECK(get(broken).answer->refusal == "half");
}

TEST_CASE("HEAD, 204 and interim answers have no body") {
  const FetchTestServer head(says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"));
  const auto fetched = fetch_all({.method = "HEAD", .url = head.url()});
  CHECK(fetched.status() == 200);
  CHECK(fetched.answer->bytes == 0);
  const FetchTestServer interim(
      says("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
           "2\r\n\r\nok"));
  CHECK(get(interim).body == "ok");
}

TEST_CASE("a body that ends before its end is cut short") {
  for (const char* bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", "HTTP/1.1 200 OK\r\nContent-", ""}) {
    CAPTURE(bytes);
    const FetchTestServer server(says(bytes));
    const auto fetched = get(server);
    CHECK(fetched.failed_as(Kind::cut_short));
    CHECK(fetched.error().contains("127.0.0.1:" + std::to_string(server.port())));
  }
}

TEST_CASE("what is not HTTP is said so at once, also when the server waits") {
  for (const std::string& bytes :
       {std::string("SSH-2.0-OpenSSH_9.2\r\n"), std::string("HTTP/1.1 200 OK\r\nbroken\r\n\r\n"),
        std::string("HTTP/1.1 101 Switching Protocols\r\n\r\n"), "HTTP/1.1 200 OK\r\nX: " + std::string(70'000, 'x'),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n")}) {
    const FetchTestServer server(says_and_waits(bytes));
    CHECK(get(server).failed_as(Kind::protocol));
  }
}

TEST_CASE("a body over the limit is refused from its announced length, and otherwise while it comes") {
  const FetchTestServer announced(says_and_waits("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n"));
  const auto early = fetch_all({.url = announced.url(), .max_bytes = 10});
  CHECK(early.failed_as(Kind::too_large));
  const FetchTestServer silent(says_and_waits("HTTP/1.1 200 OK\r\n\r\nhello world"));
  CHECK(fetch_all({.url = silent.url(), .max_bytes = 10}).failed_as(Kind::too_large));
  const FetchTestServer fits(says("HTTP/1.1 200 OK\r\n\r\nhello worl"));
  CHECK(fetch_all({.url = fits.url(), .max_bytes = 10}).body.size() == 10);
}

TEST_CASE("a server that is slow to answer, to go on, or to end is given up on") {
  const FetchTestServer no_head(says_and_waits("HTTP/1.1 200 OK\r\n"));
  const auto head = fetch_all({.url = no_head.url(), .idle_timeout = Millis(40)});
  CHECK(head.failed_as(Kind::timed_out));
  CHECK(head.error().contains("for 0.04 s"));
  const FetchTestServer no_body(says_and_waits("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"));
  CHECK(fetch_all({.url = no_body.url(), .idle_timeout = Millis(40)}).failed_as(Kind::timed_out));
  const FetchTestServer endless([](TestPeer& peer, const std::string&) {
    peer.write("HTTP/1.1 200 OK\r\n\r\n");
    const pollfd hang_up{peer.socket(), POLLRDHUP, 0};
    for (pollfd look = hang_up; ::poll(&look, 1, 5) == 0; look = hang_up) peer.write("x");
  });
  const auto total = fetch_all({.url = endless.url(), .idle_timeout = Millis(10'000), .total_timeout = Millis(100)});
  CHECK(total.failed_as(Kind::timed_out));
  CHECK(total.error().contains("longer than 0.1 s"));
}

TEST_CASE("a fetch that is told to stop ends within 100 ms, waiting or receiving") {
  StopFlag stop = false;
  const FetchTestServer silent([&](TestPeer& peer, const std::string&) {
    stop = true;
    peer.wait_for_close();
  });
  CHECK(fetch_all({.url = silent.url(), .stop = &stop}).failed_as(Kind::stopped));

  const FetchTestServer flood([](TestPeer& peer, const std::string&) {
    peer.write("HTTP/1.1 200 OK\r\n\r\n");
    const std::string piece(100'000, 'x');
    const pollfd hang_up{peer.socket(), POLLRDHUP, 0};
    for (pollfd look = hang_up; ::poll(&look, 1, 0) == 0; look = hang_up) peer.write(piece);
  });
  constexpr Millis soon{100};
  auto took = Clock::duration::max();
  for (int tries = 0; tries < 3 && took >= soon; ++tries) {  // others use the machine too
    stop = false;
    TimePoint told;
    const auto sink = [&](std::string_view) -> Result<void> {
      if (!stop.exchange(true)) told = Clock::now();
      return {};
    };
    const auto fetched = fetch({.url = flood.url(), .stop = &stop}, sink, environment_of({}));
    took = Clock::now() - told;
    REQUIRE_FALSE(fetched);
    CHECK(fetched.error().kind == Kind::stopped);
  }
  CHECK(took < soon);
  CHECK(fetch_all({.url = flood.url(), .stop = &stop}).failed_as(Kind::stopped));
}

TEST_CASE("pieces reach the sink as they arrive") {
  StopFlag arrived = false;
  const FetchTestServer server([&](TestPeer& peer, const std::string&) {
    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
    arrived.wait(false);  // the rest is only sent once the sink has the first
    peer.write("3\r\ntwo\r\n0\r\n\r\n");
  });
  std::string body;
  const auto sink = [&](std::string_view bytes) -> Result<void> {
    body += bytes;
    arrived = true;
    arrived.notify_one();
    return {};
  };
  CHECK(fetch({.url = server.url()}, sink, environment_of({})));
  CHECK(body == "onetwo");
}

TEST_CASE("a sink that refuses ends the fetch, and its error is passed on") {
  const FetchTestServer server(says_and_waits("HTTP/1.1 200 OK\r\n\r\nhello"));
  const auto sink = [](std::string_view) -> Result<void> { return fail(ErrorCode::no_space, "Full."); };
  const auto fetched = fetch({.url = server.url()}, sink, environment_of({}));
  REQUIRE_FALSE(fetched);
  CHECK(fetched.error().kind == Kind::sink);
  REQUIRE(fetched.error().cause);
  CHECK(fetched.error().cause->code == ErrorCode::no_space);
  CHECK(fetched.error().text.ends_with("Full."));
}

TEST_CASE("progress is told at the end, with the total where it is known") {
  const FetchTestServer server(says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"));
  std::vector<FetchProgress> told;
  CHECK(fetch_all({.url = server.url(), .progress = [&](const FetchProgress& progress) { told.push_back(progress); }}).answer);
  REQUIRE(told.size() == 1);
  CHECK(told[0].bytes == 5);
  CHECK(told[0].total == 5);
}

TEST_CASE("redirects are followed, relative ones too, and a loop ends") {
  const FetchTestServer server([](TestPeer& peer, const std::string& head) {
    const std::string path = path_of(head);
    if (path == "/a/b") return peer.write("HTTP/1.1 302 Found\r\nLocation: ../c?d\r\n\r\n");
    if (path == "/c?d") return peer.write("HTTP/1.1 308 Permanent Redirect\r\nLocation: /end\r\nContent-Length: 3\r\n\r\nxyz");
    if (path == "/end") return peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    if (path == "/nowhere") return peer.write("HTTP/1.1 302 Found\r\nLocation: ftp://h/\r\n\r\n");
    if (path == "/silent") return peer.write("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n");
    peer.write("HTTP/1.1 301 Moved\r\nLocation: /loop\r\n\r\n");
  });
  const auto fetched = fetch_all({.url = server.url("/a/b")});
  CHECK(fetched.body == "ok");
  CHECK(fetched.answer->url == server.url("/end"));
  CHECK(fetch_all({.url = server.url("/a/b"), .max_redirects = 2}).answer);
  CHECK(fetch_all({.url = server.url("/a/b"), .max_redirects = 1}).failed_as(Kind::protocol));
  CHECK(fetch_all({.url = server.url("/loop")}).failed_as(Kind::protocol));
  CHECK(fetch_all({.url = server.url("/nowhere")}).failed_as(Kind::bad_url));
  CHECK(fetch_all({.url = server.url("/silent")}).status() == 302);
}

TEST_CASE("credentials do not follow a redirect to another origin") {
  const FetchTestServer other(says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const FetchTestServer server([&](TestPeer& peer, const std::string& head) {
    const std::string target = path_of(head) == "/" ? "/again" : other.url();
    peer.write("HTTP/1.1 307 Temporary Redirect\r\nLocation: " + target + "\r\n\r\n");
  });
  CHECK(fetch_all({.url = server.url(), .headers = {{"authorization", "Bearer x"}, {"Cookie", "y"}, {"X-Mine", "z"}}}).answer);
  REQUIRE(server.heads().size() == 2);
  CHECK(server.heads()[1].contains("Bearer x"));
  const std::string head = other.heads().at(0);
  CHECK_FALSE(head.contains("Bearer"));
  CHECK_FALSE(head.contains("Cookie"));
  CHECK(head.contains("X-Mine: z"));
}

TEST_CASE("a POST keeps its body on 307 and 308 and becomes a GET on 301, 302 and 303") {
  for (const std::string status : {"301", "302", "303", "307", "308"}) {
    CAPTURE(status);
    std::string second;
    {
      const FetchTestServer server([&](TestPeer& peer, const std::string& head) {
        const std::string body = head.contains("Content-Length: 4") ? peer.read_body(4) : "";
        if (path_of(head) == "/") return peer.write("HTTP/1.1 " + status + " \r\nLocation: /next\r\n\r\n");
        second = head.substr(0, head.find(' ')) + " " + body + (head.contains("Content-Type") ? " typed" : "");
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
      CHECK(fetch_all({.method = "POST", .url = server.url(), .headers = {{"Content-Type", "a/b"}}, .body = "body"}).answer);
    }
    CHECK(second == (status >= "307" ? "POST body typed" : "GET "));
  }
}

TEST_CASE("where only https is wanted, http is for this machine only, also after a redirect") {
  CHECK(fetch_all({.url = "http://192.0.2.1/", .secure_only = true}).failed_as(Kind::insecure));
  const FetchTestServer server(says("HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\n\r\n"));
  const auto fetched = fetch_all({.url = server.url(), .secure_only = true});
  CHECK(fetched.failed_as(Kind::insecure));
  CHECK(fetched.error().contains("192.0.2.1"));
}

TEST_CASE("localhost and IPv6 loopback are reached without looking a name up") {
  const FetchTestServer v4(says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nv4"));
  CHECK(fetch_all({.url = "http://LocalHost:" + std::to_string(v4.port())}).body == "v4");
  const FetchTestServer v6(says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nv6"), nullptr, AF_INET6);
  CHECK(get(v6).body == "v6");
  CHECK(fetch_all({.url = "http://localhost:" + std::to_string(v6.port())}).body == "v6");
}

TEST_CASE("a server that is not there and a name that does not exist are told apart") {
  std::string url;
  {
    const FetchTestServer server(says(""));
    url = server.url();
  }
  const auto refused = fetch_all({.url = url});
  CHECK(refused.failed_as(Kind::connect));
  CHECK(refused.error().contains("ECONNREFUSED"));
  const auto unknown = fetch_all({.url = "https://user:word@nothing.invalid/?secret"});
  CHECK(unknown.failed_as(Kind::resolve));
  CHECK(unknown.error().contains("nothing.invalid"));
  CHECK_FALSE(unknown.error().contains("word"));
  CHECK_FALSE(unknown.error().contains("secret"));
}

TEST_CASE("a connection that is not accepted is given up on in time") {
  const UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  REQUIRE(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(listener.get(), 1) == 0);
  ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  // TLS gets no answer, as nobody accepts.
  const std::string url = "https://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  const TestVariables trust{{"SSL_CERT_DIR", "/tmp"}};
  const auto fetched = fetch_all({.url = url, .connect_timeout = Millis(40)}, trust);
  CHECK(fetched.failed_as(Kind::timed_out));
  CHECK(fetched.error().contains("no connection"));
}

TEST_CASE("a request that cannot be sent is refused before anything is connected to") {
  CHECK(fetch_all({.url = "ftp://h/"}).failed_as(Kind::bad_url));
  CHECK(fetch_all({.url = "http://u%zz@h/"}).failed_as(Kind::bad_url));
  CHECK(fetch_all({.method = "GET /", .url = "http://h/"}).failed_as(Kind::protocol));
  CHECK(fetch_all({.url = "http://h/", .headers = {{"A", "b\r\nC: d"}}}).failed_as(Kind::protocol));
  CHECK(fetch_all({.url = "http://h/", .headers = {{"A:", "b"}}}).failed_as(Kind::protocol));
  CHECK(fetch_all({.url = "http://h/", .headers = {{"Host", "b"}}}).failed_as(Kind::protocol));
}

}  // namespace sa
