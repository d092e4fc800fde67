// Uploads under a condition: the last byte decides, so races are made by holding it back.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

// Uploads that lack only their last byte.
std::vector<Connection> almost_done(const HomeScene& s, int count, const Headers& headers) {
  std::vector<Connection> clients;
  for (int i = 0; i < count; ++i) {
    clients.push_back(s.files.begin_upload("w/file", 1001, std::string(1000, static_cast<char>('a' + i)), headers));
  }
  return clients;
}

// Lets all of them end at once; "<how many 200> <how many 412>". The file must be that of the one who won.
std::string race(const HomeScene& s, std::vector<Connection> clients) {
  for (auto& client : clients) client.send("!");
  int won = 0;
  int refused = 0;
  char winner = 0;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const auto answer = clients[i].read_response();
    if (answer.status == 200) {
      ++won;
      winner = static_cast<char>('a' + i);
    }
    if (problem_of(answer) == "412 precondition_failed") ++refused;
  }
  CHECK(s.read("file") == std::string(1000, winner) + "!");
  return std::to_string(won) + " " + std::to_string(refused);
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("If-Match with the present ETag replaces, with another it is 412") {
  HomeScene s;
  const auto first = s.files.upload("w/file", "one").header("etag");
  const auto second = s.files.upload("w/file", "two", {{"If-Match", first}});
  REQUIRE_EQ(second.status, 200);
  CHECK_EQ(problem_of(s.files.upload("w/file", "three", {{"If-Match", first}})), "412 precondition_failed");
  CHECK_EQ(problem_of(s.files.upload("w/file", "three", {{"If-Match", "W/" + second.header("etag")}})),
           "412 precondition_failed");
  CHECK_EQ(s.read("file"), "two");
  CHECK_EQ(s.files.upload("w/file", "four", {{"If-Match", "\"x\", " + second.header("etag")}}).status, 200);
  CHECK_EQ(names_below(s.work), Names{"file"});
}

TEST_CASE("If-Unmodified-Since replaces what is not newer, and counts only without If-Match") {
  HomeScene s;
  CHECK_EQ(s.files.upload("w/file", "one", {{"If-Unmodified-Since", "Sun, 15 Nov 2026 10:48:40 GMT"}}).status, 200);
  const auto etag = s.files.download("w/file").header("etag");
  const auto date = s.files.download("w/file").header("last-modified");
  for (const auto* old : {"Thu, 01 Jan 1970 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"}) {
    CHECK_EQ(problem_of(s.files.upload("w/file", "two", {{"If-Unmodified-Since", old}})), "412 precondition_failed");
  }
  CHECK_EQ(s.read("file"), "one");
  CHECK_EQ(
      s.files.upload("w/file", "two", {{"If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"}, {"If-Match", etag}}).status,
      200);
  CHECK_EQ(s.files.upload("w/file", "three", {{"If-Unmodified-Since", "yesterday"}}).status, 200);
  std::filesystem::last_write_time(s.work / "file", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  CHECK_EQ(s.files.upload("w/file", "four", {{"If-Unmodified-Since", date}}).status, 200);
  CHECK_EQ(s.read("file"), "four");
}

TEST_CASE("a date of the running second proves nothing: the file is sent whole") {
  HomeScene s;
  s.write("file", "0123456789");
  const auto asks = [&] {
    const auto date = s.files.download("w/file").header("last-modified");
    return std::to_string(s.files.download("w/file", {{"If-Modified-Since", date}}).status) + " " +
           std::to_string(s.files.download("w/file", {{"Range", "bytes=0-1"}, {"If-Range", date}}).status);
  };
  // Ahead of the clock, so that its second does not end meanwhile.
  std::filesystem::last_write_time(s.work / "file", std::filesystem::file_time_type::clock::now() + std::chrono::seconds(60));
  CHECK_EQ(asks(), "200 200");
  std::filesystem::last_write_time(s.work / "file", std::filesystem::file_time_type::clock::now() - std::chrono::seconds(2));
  CHECK_EQ(asks(), "304 206");
}

TEST_CASE("a file of a far time has a version like any other") {
  HomeScene s;
  s.write("file", "x");
  const auto tag_at = [&](time_t seconds) {
    const timespec times[2] = {{seconds, 0}, {seconds, 0}};
    REQUIRE_EQ(utimensat(AT_FDCWD, s.at("file").c_str(), times, 0), 0);
    return s.files.head("w/file").header("etag");
  };
  const auto far = tag_at(9'300'000'000);  // 2264: more nanoseconds than 63 bits can count
  CHECK_NE(far.find("-22a52bd00.0-"), std::string::npos);
  CHECK_EQ(s.files.upload("w/file", "y", {{"If-Match", far}}).status, 200);
}

TEST_CASE("If-Match: * needs a file that is there") {
  HomeScene s;
  CHECK_EQ(problem_of(s.files.upload("w/file", "new", {{"If-Match", "*"}})), "412 precondition_failed");
  CHECK_EQ(problem_of(s.files.upload("w/file", "new", {{"If-Match", "\"x\""}})), "412 precondition_failed");
  CHECK(names_below(s.work).empty());
  s.write("file", "old");
  CHECK_EQ(s.files.upload("w/file", "new", {{"If-Match", "*"}}).status, 200);
  CHECK_EQ(s.read("file"), "new");
}

TEST_CASE("If-None-Match: * only creates") {
  HomeScene s;
  CHECK_EQ(s.files.upload("w/file", "first", {{"If-None-Match", "*"}}).status, 200);
  CHECK_EQ(problem_of(s.files.upload("w/file", "second", {{"If-None-Match", "*"}})), "412 precondition_failed");
  CHECK_EQ(s.read("file"), "first");
}

TEST_CASE("a link that leads nowhere can be created through, once") {
  HomeScene s;
  std::filesystem::create_symlink("target", s.work / "link");
  CHECK_EQ(s.files.upload("w/link", "first", {{"If-None-Match", "*"}}).status, 200);
  CHECK_EQ(s.files.upload("w/link", "second", {{"If-None-Match", "*"}}).status, 412);
  CHECK_EQ(s.read("target"), "first");
}

TEST_CASE("of creators at the same moment exactly one wins") {
  HomeScene s;
  for (int round = 0; round < 10; ++round) {
    CHECK_EQ(race(s, almost_done(s, 8, {{"If-None-Match", "*"}})), "1 7");
    CHECK_EQ(names_below(s.work), Names{"file"});
    std::filesystem::remove(s.work / "file");
  }
}

TEST_CASE("of writers who saw the same content exactly one wins") {
  HomeScene s;
  auto tag = s.files.upload("w/file", "start").header("etag");
  for (int round = 0; round < 10; ++round) {
    CHECK_EQ(race(s, almost_done(s, 8, {{"If-Match", tag}})), "1 7");
    tag = s.files.head("w/file").header("etag");
  }
  CHECK_EQ(names_below(s.work), Names{"file"});
}

TEST_CASE("a condition is checked when the upload ends") {
  HomeScene s;
  const auto tag = s.files.upload("w/file", "one").header("etag");
  auto late = almost_done(s, 1, {{"If-Match", tag}});
  REQUIRE_EQ(s.files.upload("w/file", "between").status, 200);
  late[0].send("!");
  CHECK_EQ(problem_of(late[0].read_response()), "412 precondition_failed");
  CHECK_EQ(s.read("file"), "between");
}

TEST_CASE("a file made by somebody else during an upload is not overwritten by a creator") {
  HomeScene s;
  auto late = almost_done(s, 1, {{"If-None-Match", "*"}});
  s.write("file", "somebody else's");
  late[0].send("!");
  CHECK_EQ(problem_of(late[0].read_response()), "412 precondition_failed");
  CHECK_EQ(s.read("file"), "somebody else's");
  CHECK_EQ(names_below(s.work), Names{"file"});
}

TEST_CASE("a counter incremented under If-Match by several clients loses nothing") {
  HomeScene s;
  REQUIRE_EQ(s.files.upload("w/file", "0").status, 200);
  int done = 0;
  const auto seen = [&] { return s.files.download("w/file"); };
  std::vector<Response> views(4);
  while (done < 40) {
    for (auto& view : views) view = seen();
    for (const auto& view : views) {
      const auto next = std::to_string(std::stoi(view.body) + 1);
      done += s.files.upload("w/file", next, {{"If-Match", view.header("etag")}}).status == 200 ? 1 : 0;
    }
  }
  CHECK_EQ(s.read("file"), std::to_string(done));
}

TEST_SUITE_END();
