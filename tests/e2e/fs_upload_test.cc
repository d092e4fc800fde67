#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

TEST_SUITE_BEGIN("fs");

TEST_CASE("an upload makes a file and says how much was written") {
  HomeScene s;
  const auto content = patterned(300'000);
  const auto answer = s.files.upload("w/file", content);
  REQUIRE_EQ(answer.status, 200);
  CHECK(answer.header("content-type").starts_with("application/json"));
  CHECK_EQ(text_at(answer.body, "path"), s.at("file"));
  CHECK_EQ(number_at(answer.body, "bytesWritten"), 300'000);
  CHECK(s.read("file") == content);
  CHECK_EQ(answer.header("etag"), s.files.head("w/file").header("etag"));
  CHECK_EQ(names_below(s.work), Names{"file"});
}

TEST_CASE("an upload replaces what was there, shorter or longer") {
  HomeScene s;
  for (const std::size_t size : {100'000UL, 10UL, 0UL, 5'000UL}) {
    const auto content = patterned(size, static_cast<unsigned>(size));
    const auto answer = s.files.upload("w/file", content);
    REQUIRE_EQ(answer.status, 200);
    CHECK_EQ(number_at(answer.body, "bytesWritten"), static_cast<std::int64_t>(size));
    CHECK(s.read("file") == content);
    CHECK_EQ(answer.header("etag"), s.files.head("w/file").header("etag"));
  }
}

TEST_CASE("an upload creates the directories it needs") {
  HomeScene s;
  const auto answer = s.files.upload("w/a/b/c/file", "content");
  REQUIRE_EQ(answer.status, 200);
  CHECK_EQ(text_at(answer.body, "path"), s.at("a/b/c/file"));
  CHECK_EQ(s.read("a/b/c/file"), "content");
}

TEST_CASE("an upload takes any content type as bytes") {
  HomeScene s;
  for (const std::string type :
       {"application/json", "text/plain; charset=latin-1", "application/x-tar", "multipart/form-data", ""}) {
    REQUIRE_EQ(s.files.upload("w/file", "{not json", {{"Content-Type", type}}).status, 200);
    CHECK_EQ(s.read("file"), "{not json");
  }
}

TEST_CASE("a chunked upload arrives whole, in whatever pieces it comes") {
  HomeScene s;
  const auto content = patterned(500'000);
  auto connection = s.files.begin("PUT", Files::target("file", "w/file"), {{"Transfer-Encoding", "chunked"}});
  for (std::size_t at = 0, size = 1; at < content.size(); at += size, size = size * 3 + 1) {
    const auto piece = content.substr(at, size);
    char head[32];
    std::snprintf(head, sizeof head, "%zx\r\n", piece.size());
    connection.send(head + piece + "\r\n");
  }
  connection.send("0\r\n\r\n");
  const auto answer = connection.read_response();
  REQUIRE_EQ(answer.status, 200);
  CHECK_EQ(number_at(answer.body, "bytesWritten"), 500'000);
  CHECK(s.read("file") == content);
  connection.send(http_request("GET", "/healthz"));
  CHECK_EQ(connection.read_response().body, "ok");
}

TEST_CASE("a chunked upload without a chunk is an empty file, a broken chunk leaves none") {
  HomeScene s;
  const Headers chunked = {{"Transfer-Encoding", "chunked"}};
  CHECK_EQ(s.files.request("PUT", Files::target("file", "w/empty"), chunked, "0\r\n\r\n").status, 200);
  CHECK_EQ(problem_of(s.files.request("PUT", Files::target("file", "w/broken"), chunked, "3\r\nabcd\r\n0\r\n\r\n")),
           "400 invalid_request");
  CHECK_EQ(names_below(s.work), Names{"empty"});
  CHECK_EQ(s.read("empty"), "");
}

TEST_CASE("a client that waits for 100 Continue gets it and then sends") {
  HomeScene s;
  auto connection = s.files.begin_upload("w/file", 5, "", {{"Expect", "100-continue"}});
  CHECK_EQ(connection.read_head().status, 100);
  connection.send("12345");
  CHECK_EQ(connection.read_response().status, 200);
  CHECK_EQ(s.read("file"), "12345");
}

TEST_CASE("requests behind an upload on the same connection are answered in order") {
  HomeScene s;
  const Headers token = {{"Authorization", "Bearer " + s.daemon.token()}};
  const auto content = patterned(200'000);
  Connection connection(s.daemon.port());
  connection.send(http_request("PUT", Files::target("file", "w/file"), token, content) +
                  http_request("GET", Files::target("file", "w/file"), token) +
                  http_request("PUT", Files::target("file", "w/file"), token, "second") +
                  http_request("GET", Files::target("file", "w/file"), token));
  CHECK_EQ(connection.read_response().status, 200);
  CHECK(connection.read_response().body == content);
  CHECK_EQ(connection.read_response().status, 200);
  CHECK_EQ(connection.read_response().body, "second");
}

TEST_CASE("new files and directories have the modes of the daemon's umask") {
  HomeScene s;
  const auto mask = umask(0);
  umask(mask);
  REQUIRE_EQ(s.files.upload("w/folder/file", "x").status, 200);
  CHECK_EQ(mode_of(s.work / "folder/file"), 0666U & ~mask);
  CHECK_EQ(mode_of(s.work / "folder"), 0777U & ~mask);
}

TEST_CASE("a replaced file keeps its mode") {
  HomeScene s;
  s.write("script", "#!/bin/sh\n");
  for (const unsigned mode : {0755U, 0600U, 0640U, 0444U}) {
    REQUIRE_EQ(chmod(s.at("script").c_str(), mode), 0);
    REQUIRE_EQ(s.files.upload("w/script", "#!/bin/sh\necho\n").status, 200);
    CHECK_EQ(mode_of(s.work / "script"), mode);
  }
}

TEST_CASE("an upload to a link goes to what it stands for, and the link stays") {
  HomeScene s;
  s.write("folder/target", "old");
  std::filesystem::create_symlink("folder/target", s.work / "link");
  std::filesystem::create_symlink(s.work / "link", s.work / "second");
  for (const std::string name : {"link", "second"}) {
    const auto answer = s.files.upload(std::string("w/") + name, name);
    REQUIRE_EQ(answer.status, 200);
    CHECK(is_link(s.work / name));
    CHECK_EQ(s.read("folder/target"), name);
    CHECK_EQ(answer.header("etag"), s.files.head("w/folder/target").header("etag"));
  }
}

TEST_CASE("an upload to a link that leads nowhere makes its target") {
  HomeScene s;
  std::filesystem::create_directory(s.work / "folder");
  std::filesystem::create_symlink("folder/new", s.work / "link");
  REQUIRE_EQ(s.files.upload("w/link", "content").status, 200);
  CHECK(is_link(s.work / "link"));
  CHECK_EQ(s.read("folder/new"), "content");
}

TEST_CASE("an upload onto a directory or below a file is 409 and changes nothing") {
  HomeScene s;
  s.write("folder/inside", "x");
  s.write("file", "y");
  std::filesystem::create_symlink("folder", s.work / "link");
  std::filesystem::create_symlink("loop", s.work / "loop");
  const auto before = tree_shot(s.work);
  for (const std::string path : {"w/folder", "w/link", "w/file/below", "w/file/below/deeper", "w/loop"}) {
    INFO(path);
    CHECK_EQ(problem_of(s.files.upload(path, "content")), "409 conflict");
  }
  CHECK(s.files.upload("w/folder/", "content").status >= 400);
  CHECK_EQ(tree_shot(s.work), before);
}

TEST_CASE("readers see the old or the new content, never a part") {
  HomeScene s;
  const std::string old_one(300'000, 'a');
  const std::string new_one(200'000, 'b');
  const auto is_one = [&](const std::string& text) { return text == old_one || text == new_one; };
  s.write("file", old_one);
  std::atomic<bool> done = false;
  std::atomic<int> reads = 0;
  std::atomic<int> parts = 0;
  {
    std::jthread over_http([&] {
      for (; !done; ++reads) parts += is_one(s.files.download("w/file").body) ? 0 : 1;
    });
    std::jthread from_disk([&] {
      for (; !done; ++reads) parts += is_one(s.read("file")) ? 0 : 1;
    });
    for (int i = 0; i < 100; ++i) CHECK_EQ(s.files.upload("w/file", i % 2 == 0 ? new_one : old_one).status, 200);
    done = true;
  }
  CHECK_GT(reads, 10);
  CHECK_EQ(parts, 0);
}

TEST_CASE("sixty-four uploads at once all arrive") {
  HomeScene s;
  std::vector<Connection> clients;
  for (unsigned i = 0; i < 64; ++i) {
    clients.push_back(s.files.begin_upload("w/file-" + std::to_string(i), 50'000, patterned(49'999, i)));
  }
  for (unsigned i = 0; i < 64; ++i) clients[i].send("!");
  for (unsigned i = 0; i < 64; ++i) {
    CHECK_EQ(clients[i].read_response().status, 200);
    CHECK(s.read("file-" + std::to_string(i)) == patterned(49'999, i) + "!");
  }
}

TEST_SUITE_END();
