#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fs_scene.h"

using namespace rig;

namespace {

constexpr std::size_t large = 64 * 1024 * 1024;

// Reads on, keeping nothing, until the connection ends or `most` bytes came; how many there were.
std::size_t drain(Connection& connection, std::size_t most) {
  std::size_t total = connection.buffered().size();
  connection.buffered().clear();
  while (total < most && connection.read_more()) {
    total += connection.buffered().size();
    connection.buffered().clear();
  }
  return total;
}

// Somebody who listens at a name in the file system.
class Socket {
 public:
  explicit Socket(const std::filesystem::path& path) : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path.c_str());
    REQUIRE_EQ(bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Socket() { close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

 private:
  int fd_;
};

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("a download is the bytes of the file with its length, ETag and time") {
  HomeScene s;
  const auto content = patterned(100'000);
  s.write("file", content);
  set_times(s.work / "file", {.tv_sec = 1'700'000'000, .tv_nsec = 123});
  const auto answer = s.files.download("w/file");
  CHECK_EQ(answer.status, 200);
  CHECK(answer.body == content);
  CHECK_EQ(answer.header("content-type"), "application/octet-stream");
  CHECK_EQ(answer.header("content-length"), "100000");
  CHECK_EQ(answer.header("last-modified"), "Tue, 14 Nov 2023 22:13:20 GMT");
  CHECK_EQ(answer.header("accept-ranges"), "bytes");
  const auto tag = answer.header("etag");
  CHECK((tag.size() > 2 && tag.starts_with('"') && tag.ends_with('"')));
}

TEST_CASE("HEAD of a file is the head of its download") {
  HomeScene s;
  s.write("file", "12345");
  const auto full = s.files.download("w/file");
  const auto head = s.files.head("w/file");
  CHECK_EQ(head.status, 200);
  for (const std::string name : {"content-type", "content-length", "etag", "last-modified", "accept-ranges"}) {
    CHECK_EQ(head.header(name), full.header(name));
  }
  auto connection = s.files.begin("HEAD", Files::target("file", "w/file"));
  CHECK_EQ(connection.read_response(true).status, 200);
  connection.send(http_request("GET", "/healthz"));
  CHECK_EQ(connection.read_response().body, "ok");
  CHECK_EQ(s.files.head("w/none").status, 404);
}

TEST_CASE("an empty file is an empty download") {
  HomeScene s;
  s.write("empty", "");
  const auto answer = s.files.download("w/empty");
  CHECK_EQ(answer.status, 200);
  CHECK_EQ(answer.header("content-length"), "0");
  CHECK_EQ(answer.body, "");
}

TEST_CASE("many downloads go over one connection, pipelined ones in order") {
  HomeScene s;
  std::string requests;
  for (int i = 0; i < 20; ++i) {
    const auto name = "f" + std::to_string(i);
    s.write(name, patterned(static_cast<std::size_t>(i) * 9'000, static_cast<unsigned>(i)));
    requests += http_request("GET", Files::target("file", "w/" + name), {{"Authorization", "Bearer " + s.daemon.token()}});
  }
  Connection connection(s.daemon.port());
  connection.send(requests);
  for (int i = 0; i < 20; ++i) {
    const auto answer = connection.read_response();
    CHECK_EQ(answer.status, 200);
    CHECK(answer.body == patterned(static_cast<std::size_t>(i) * 9'000, static_cast<unsigned>(i)));
  }
}

TEST_CASE("a large file arrives whole") {
  HomeScene s;
  const auto content = patterned(20'000'000);
  s.write("file", content);
  CHECK(s.files.download("w/file").body == content);
}

TEST_CASE("a download follows links") {
  HomeScene s;
  s.write("folder/file", "content");
  std::filesystem::create_symlink("folder/file", s.work / "link");
  std::filesystem::create_symlink(s.work / "folder", s.work / "there");
  CHECK_EQ(s.files.download("w/link").body, "content");
  CHECK_EQ(s.files.download("w/there/file").body, "content");
}

TEST_CASE("the download of a directory or a loop of links is 409, of nothing 404") {
  HomeScene s;
  std::filesystem::create_symlink("loop", s.work / "loop");
  CHECK_EQ(problem_of(s.files.download("w")), "409 conflict");
  CHECK_EQ(problem_of(s.files.download("w/loop")), "409 conflict");
  CHECK_EQ(problem_of(s.files.download("w/none")), "404 not_found");
}

TEST_CASE("pipes and devices are 409 at once, whether somebody writes to them or not") {
  HomeScene s;
  REQUIRE_EQ(mkfifo(s.at("pipe").c_str(), 0600), 0);
  const auto start = Clock::now();
  CHECK_EQ(problem_of(s.files.download("w/pipe")), "409 conflict");
  CHECK_EQ(problem_of(s.files.download("w/pipe", {{"Range", "bytes=0-0"}})), "409 conflict");
  CHECK_EQ(problem_of(s.files.upload("w/pipe", "x")), "409 conflict");
  CHECK_EQ(problem_of(s.files.download("/dev/zero")), "409 conflict");
  CHECK_EQ(s.files.head("/dev/tty").status, 409);
  const Socket socket(s.work / "socket");
  CHECK_EQ(problem_of(s.files.download("w/socket")), "409 conflict");
  CHECK_EQ(problem_of(s.files.upload("w/socket", "x")), "409 conflict");
  CHECK_LT(since(start), scaled(milliseconds(5000)));  // a read of them would never end
  CHECK_EQ(s.files.stat("w/pipe").status, 200);
  CHECK_EQ(s.files.remove("w/pipe").status, 200);
}

TEST_CASE("a file that shrinks during a download cuts the connection") {
  HomeScene s;
  s.write("file", "");
  std::filesystem::resize_file(s.work / "file", large);
  auto connection = s.files.narrow_download("w/file");
  REQUIRE_EQ(connection.read_head().header("content-length"), std::to_string(large));
  std::filesystem::resize_file(s.work / "file", 1024 * 1024);
  CHECK_LT(drain(connection, large), large);
  CHECK(connection.closed_within(milliseconds(5000)));
  CHECK_EQ(s.files.download("w/file").body.size(), 1024 * 1024);
}

TEST_CASE("a file that grows during a download is sent as long as was announced") {
  HomeScene s;
  s.write("file", "");
  std::filesystem::resize_file(s.work / "file", large);
  auto connection = s.files.narrow_download("w/file");
  REQUIRE_EQ(connection.read_head().header("content-length"), std::to_string(large));
  std::filesystem::resize_file(s.work / "file", large + 1'000'000);
  connection.send(http_request("GET", "/healthz"));
  std::size_t left = large;
  while (left > 0 && connection.read_more()) {
    const auto n = std::min(left, connection.buffered().size());
    connection.buffered().erase(0, n);
    left -= n;
  }
  CHECK_EQ(left, 0);
  CHECK_EQ(connection.read_response().body, "ok");
}

TEST_CASE("a file replaced or removed during a download is sent as it was") {
  HomeScene s;
  s.write("file", "");
  std::filesystem::resize_file(s.work / "file", large);
  auto connection = s.files.narrow_download("w/file");
  REQUIRE_EQ(connection.read_head().status, 200);
  REQUIRE_EQ(s.files.upload("w/file", "new").status, 200);
  REQUIRE_EQ(s.files.remove("w/file").status, 200);
  CHECK_EQ(drain(connection, large), large);
}

TEST_CASE("a client that leaves during a download leaves nothing open") {
  HomeScene s;
  s.write("file", "");
  std::filesystem::resize_file(s.work / "file", large);
  {
    std::vector<Connection> clients;
    for (int i = 0; i < 5; ++i) {
      clients.push_back(s.files.narrow_download("w/file"));
      REQUIRE_EQ(clients.back().read_head().status, 200);
    }
    REQUIRE(eventually([&] { return open_below(s.daemon.pid(), s.work).size() >= 5; }));
  }
  CHECK(eventually([&] { return open_below(s.daemon.pid(), s.work).empty(); }));
}

TEST_CASE("files whose size is not known before they are read arrive whole") {
  HomeScene s;
  const auto memory = s.files.download("/proc/meminfo");
  REQUIRE_EQ(memory.status, 200);
  CHECK(memory.body.starts_with("MemTotal:"));
  CHECK_EQ(memory.header("content-length"), std::to_string(memory.body.size()));
  const auto shorter = s.files.download("/sys/kernel/mm/transparent_hugepage/enabled");  // says it has 4096 bytes
  CHECK((shorter.status == 404 || (shorter.status == 200 && shorter.body.ends_with('\n'))));
}

TEST_SUITE_END();
