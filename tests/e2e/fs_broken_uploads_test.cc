#include <doctest/doctest.h>
#include <signal.h>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

// Whether the daemon has a file open below the folder: one with a name, or one that has none yet.
bool is_writing(const HomeScene& s) {
  return std::ranges::any_of(open_below(s.daemon.pid(), s.work), [](const std::string& name) {
    return name.ends_with(" (deleted)") || std::filesystem::is_regular_file(name);
  });
}

// An upload of which a part has arrived.
Connection half_upload(const HomeScene& s, const std::string& path) {
  auto connection = s.files.begin_upload(path, 1'000'000, patterned(500'000));
  REQUIRE(eventually([&] { return is_writing(s); }));
  return connection;
}

bool nothing_open(const HomeScene& s) {
  return eventually([&] { return open_below(s.daemon.pid(), s.work).empty(); });
}

std::string chunk(std::size_t size) {
  char head[32];
  std::snprintf(head, sizeof head, "%zx\r\n", size);
  return head + std::string(size, 'c') + "\r\n";
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("a client that vanishes during an upload leaves the old file and nothing else") {
  HomeScene s;
  s.write("file", "old");
  half_upload(s, "w/file").reset();
  CHECK(nothing_open(s));
  CHECK_EQ(names_below(s.work), Names{"file"});
  CHECK_EQ(s.read("file"), "old");
}

TEST_CASE("a client that only stops sending leaves nothing of a new file") {
  HomeScene s;
  auto connection = half_upload(s, "w/file");
  connection.finish_sending();
  CHECK(connection.closed_within(milliseconds(5000)));
  CHECK(nothing_open(s));
  CHECK(names_below(s.work).empty());
}

TEST_CASE("a chunked upload that breaks off leaves nothing") {
  HomeScene s;
  auto connection = s.files.begin("PUT", Files::target("file", "w/file"), {{"Transfer-Encoding", "chunked"}});
  connection.send(chunk(100'000));
  REQUIRE(eventually([&] { return is_writing(s); }));
  connection.reset();
  CHECK(nothing_open(s));
  CHECK(names_below(s.work).empty());
}

TEST_CASE("a daemon that is killed during an upload leaves the old file and nothing else") {
  HomeScene s;
  s.write("file", "old");
  auto connection = half_upload(s, "w/file");
  s.daemon.kill();
  CHECK_EQ(names_below(s.work), Names{"file"});
  CHECK_EQ(s.read("file"), "old");
}

TEST_CASE("a daemon that is stopped during an upload ends in time and leaves nothing") {
  HomeScene s;
  s.write("file", "old");
  auto connection = half_upload(s, "w/file");
  s.daemon.stop(SIGTERM);
  CHECK_EQ(names_below(s.work), Names{"file"});
  CHECK_EQ(s.read("file"), "old");
}

TEST_CASE("an upload over the limit is 413 and leaves nothing, at the limit it is fine") {
  HomeScene s({"--max-file-bytes", "100000"});
  CHECK_EQ(s.files.upload("w/file", std::string(100'000, 'x')).status, 200);
  const auto sized = s.files.upload("w/file", std::string(100'001, 'y'));
  CHECK_EQ(problem_of(sized), "413 payload_too_large");
  CHECK_EQ(number_at(sized.body, "limit"), 100'000);
  auto connection = s.files.begin("PUT", Files::target("file", "w/new"), {{"Transfer-Encoding", "chunked"}});
  for (int i = 0; i < 3; ++i) connection.send(chunk(50'000));
  CHECK_EQ(problem_of(connection.read_response()), "413 payload_too_large");
  CHECK(nothing_open(s));
  CHECK_EQ(names_below(s.work), Names{"file"});
  CHECK(s.read("file") == std::string(100'000, 'x'));
}

TEST_CASE("an upload that announces too much is refused before it is sent") {
  HomeScene s({"--max-file-bytes", "1000"});
  auto connection = s.files.begin_upload("w/file", 1001, "", {{"Expect", "100-continue"}});
  const auto answer = connection.read_response();
  CHECK_EQ(problem_of(answer), "413 payload_too_large");
  CHECK_EQ(answer.continues, 0);
  CHECK(names_below(s.work).empty());
}

TEST_CASE("the body of a refused upload is not taken for a request") {
  HomeScene s({"--max-file-bytes", "1000"});
  std::filesystem::create_directory(s.work / "folder");
  const Headers token = {{"Authorization", "Bearer " + s.daemon.token()}};
  const auto smuggled = http_request("PUT", Files::target("file", "w/smuggled"), token, "x");
  const Headers conditional = {token[0], {"If-Match", "\"x\""}};
  for (const auto& [target, headers] : {std::pair(Files::target("file", "w/folder"), token),
                                        {Files::target("file", "w/none"), conditional},
                                        {Files::target("file", "w/../x"), token},
                                        {"/v1/fs/file", token},
                                        {Files::target("file", "w/large"), Headers{token[0], {"Content-Length", "2000"}}}}) {
    INFO(target);
    Connection connection(s.daemon.port());
    connection.send(http_request("PUT", target, headers, smuggled) + http_request("GET", "/healthz"));
    CHECK_GE(connection.read_response().status, 400);
    const bool half_sent = headers.back().first == "Content-Length";
    while (!half_sent && !connection.buffered().contains("\r\n\r\nok") && connection.read_more()) continue;
    connection.reset();
    CHECK_FALSE(present(s.work / "smuggled"));
  }
}

TEST_CASE("a target replaced during an upload is replaced again") {
  HomeScene s;
  s.write("file", "old");
  auto connection = half_upload(s, "w/file");
  REQUIRE_EQ(s.files.upload("w/file", "between").status, 200);
  connection.send(patterned(500'000));
  CHECK_EQ(connection.read_response().status, 200);
  CHECK_EQ(s.read("file").size(), 1'000'000);
}

TEST_CASE("a link put in the target's place during an upload is replaced, not followed") {
  HomeScene s;
  s.write("file", "old");
  s.write("precious", "untouched");
  auto connection = half_upload(s, "w/file");
  std::filesystem::remove(s.work / "file");
  std::filesystem::create_symlink("precious", s.work / "file");
  connection.send(patterned(500'000));
  CHECK_EQ(connection.read_response().status, 200);
  CHECK_FALSE(is_link(s.work / "file"));
  CHECK_EQ(s.read("file").size(), 1'000'000);
  CHECK_EQ(s.read("precious"), "untouched");
}

TEST_CASE("a directory put in the target's place during an upload is a conflict") {
  HomeScene s;
  auto connection = half_upload(s, "w/file");
  s.write("file/inside", "x");
  connection.send(patterned(500'000));
  CHECK_EQ(problem_of(connection.read_response()), "409 conflict");
  CHECK_EQ(names_below(s.work), Names{"file"});
  CHECK_EQ(s.read("file/inside"), "x");
}

TEST_CASE("the directory of a target removed during an upload is a conflict") {
  HomeScene s;
  std::filesystem::create_directory(s.work / "folder");
  auto connection = half_upload(s, "w/folder/file");
  REQUIRE_EQ(s.files.remove_tree("w/folder").status, 200);
  connection.send(patterned(500'000));
  CHECK_EQ(problem_of(connection.read_response()), "409 conflict");
  CHECK(names_below(s.work).empty());
}

TEST_SUITE_END();
