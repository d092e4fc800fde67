#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "fs_scene.h"

using namespace rig;

namespace {

struct DigitScene : HomeScene {
  DigitScene() { write("file", "0123456789"); }
  Response range(const std::string& text, Headers headers = {}) const {
    headers.emplace_back("Range", text);
    return files.download("w/file", headers);
  }
  std::string tag() const { return files.head("w/file").header("etag"); }
  std::string time() const { return files.head("w/file").header("last-modified"); }
};

bool is_whole(const Response& answer) {
  return answer.status == 200 && answer.body == "0123456789" && !answer.has("content-range");
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("a range is answered with its bytes and where they lie") {
  struct {
    const char* range;
    const char* body;
    const char* where;
  } const cases[] = {
      {"bytes=0-0", "0", "bytes 0-0/10"},    {"bytes=2-5", "2345", "bytes 2-5/10"},
      {"bytes=7-", "789", "bytes 7-9/10"},   {"bytes=0-", "0123456789", "bytes 0-9/10"},
      {"bytes=-3", "789", "bytes 7-9/10"},   {"bytes=-10", "0123456789", "bytes 0-9/10"},
      {"bytes=8-100", "89", "bytes 8-9/10"}, {"bytes=-100", "0123456789", "bytes 0-9/10"},
      {"bytes=9-9", "9", "bytes 9-9/10"},    {"bytes=5-99999999999999999999999", "56789", "bytes 5-9/10"},
      {"Bytes=1-2", "12", "bytes 1-2/10"},
  };
  DigitScene s;
  for (const auto& each : cases) {
    INFO(each.range);
    const auto answer = s.range(each.range);
    CHECK_EQ(answer.status, 206);
    CHECK_EQ(answer.body, each.body);
    CHECK_EQ(answer.header("content-range"), each.where);
    CHECK_EQ(answer.header("content-length"), std::to_string(answer.body.size()));
    CHECK_EQ(answer.header("content-type"), "application/octet-stream");
    CHECK_EQ(answer.header("etag"), s.tag());
    CHECK(answer.has("last-modified"));
  }
}

TEST_CASE("a range beyond the end is 416 and says how long the file is") {
  DigitScene s;
  for (const std::string range : {"bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999-"}) {
    INFO(range);
    const auto answer = s.range(range);
    CHECK_EQ(problem_of(answer), "416 range_not_satisfiable");
    CHECK_EQ(answer.header("content-range"), "bytes */10");
  }
}

TEST_CASE("a range of an empty file is 416") {
  HomeScene s;
  s.write("empty", "");
  const auto answer = s.files.download("w/empty", {{"Range", "bytes=0-"}});
  CHECK_EQ(problem_of(answer), "416 range_not_satisfiable");
  CHECK_EQ(answer.header("content-range"), "bytes */0");
}

TEST_CASE("several ranges, malformed ones and other units are ignored") {
  DigitScene s;
  for (const std::string range :
       {"bytes=0-1,4-5", "bytes=0-1, 4-5", "bytes=5-2", "bytes=", "bytes=-", "bytes=a-b", "bytes=1", "bytes 1-2", "bytes=1-2-3",
        "bytes=+1-2", "bytes=0x1-2", "lines=1-2", "1-2", "bytes=--1", "bytes=1- 2x", "="}) {
    INFO(range);
    CHECK(is_whole(s.range(range)));
  }
}

TEST_CASE("HEAD ignores a range") {
  DigitScene s;
  const auto head = s.files.head("w/file", {{"Range", "bytes=2-5"}});
  CHECK_EQ(head.status, 200);
  CHECK_EQ(head.header("content-length"), "10");
}

TEST_CASE("If-Range with the present ETag or time gives the range, with another the whole file") {
  DigitScene s;
  CHECK_EQ(s.range("bytes=2-5", {{"If-Range", s.tag()}}).body, "2345");
  CHECK(is_whole(s.range("bytes=2-5", {{"If-Range", "\"another\""}})));
  CHECK(is_whole(s.range("bytes=2-5", {{"If-Range", "W/" + s.tag()}})));
  CHECK(is_whole(s.range("bytes=2-5", {{"If-Range", "Tue, 14 Nov 2000 22:13:20 GMT"}})));
  CHECK(is_whole(s.range("bytes=2-5", {{"If-Range", "nonsense"}})));
  CHECK(is_whole(s.range("bytes=20-", {{"If-Range", "\"another\""}})));
  set_times(s.work / "file", {.tv_sec = 1'700'000'000, .tv_nsec = 0});
  CHECK_EQ(s.range("bytes=2-5", {{"If-Range", s.time()}}).body, "2345");
}

TEST_CASE("a resumed download of a file that changed meanwhile starts anew") {
  DigitScene s;
  const auto tag = s.tag();
  REQUIRE_EQ(s.files.upload("w/file", "abcdefghij").status, 200);
  const auto answer = s.range("bytes=5-", {{"If-Range", tag}});
  CHECK_EQ(answer.status, 200);
  CHECK_EQ(answer.body, "abcdefghij");
}

TEST_CASE("If-None-Match with the present ETag is 304 without a body") {
  DigitScene s;
  const auto tag = s.tag();
  for (const std::string& value :
       {tag, "\"x\", " + tag, tag + ",\"x\"", "W/" + tag, "\"a\" , W/" + tag + " ,\"b\"", std::string("*")}) {
    INFO(value);
    for (const char* method : {"GET", "HEAD"}) {
      auto connection = s.files.begin(method, Files::target("file", "w/file"), {{"If-None-Match", value}});
      const auto answer = connection.read_response();
      CHECK_EQ(answer.status, 304);
      CHECK_EQ(answer.header("etag"), tag);
      connection.send(http_request("GET", "/healthz"));
      CHECK_EQ(connection.read_response().body, "ok");
    }
  }
  for (const std::string& value : {std::string("\"x\""), std::string("\"x\", \"y\""), tag.substr(1, tag.size() - 2)}) {
    INFO(value);
    CHECK(is_whole(s.files.download("w/file", {{"If-None-Match", value}})));
  }
  CHECK_EQ(s.range("bytes=2-5", {{"If-None-Match", tag}}).status, 304);
  CHECK_EQ(s.files.download("w/none", {{"If-None-Match", "*"}}).status, 404);
}

TEST_CASE("an ETag stays while the file does and changes with it, even when size and time do not") {
  DigitScene s;
  const auto first = s.tag();
  CHECK_EQ(s.tag(), first);
  const auto before = status_of(s.work / "file");
  REQUIRE(eventually([&] {
    s.write("file", "9876543210");
    set_times(s.work / "file", before.st_mtim);
    const auto now = status_of(s.work / "file");
    return now.st_ctim.tv_sec != before.st_ctim.tv_sec || now.st_ctim.tv_nsec != before.st_ctim.tv_nsec;
  }));
  const auto second = s.tag();
  CHECK_NE(second, first);
  std::filesystem::rename(s.work / "file", s.work / "away");
  s.write("file", "9876543210");
  set_times(s.work / "file", before.st_mtim);
  CHECK_NE(s.tag(), second);
}

TEST_CASE("If-Match on a download gives only the version that is meant") {
  DigitScene s;
  CHECK(is_whole(s.files.download("w/file", {{"If-Match", s.tag()}})));
  CHECK(is_whole(s.files.download("w/file", {{"If-Match", "*"}})));
  CHECK_EQ(s.range("bytes=2-5", {{"If-Match", "\"x\", " + s.tag()}}).body, "2345");
  CHECK_EQ(problem_of(s.files.download("w/file", {{"If-Match", "\"another\""}})), "412 precondition_failed");
  CHECK_EQ(problem_of(s.range("bytes=2-5", {{"If-Match", "W/" + s.tag()}})), "412 precondition_failed");
}

TEST_CASE("a range far into a large file is found") {
  HomeScene s;
  s.write("file", "");
  std::filesystem::resize_file(s.work / "file", 5'000'000'000);
  std::ofstream(s.work / "file", std::ios::app) << "the end";
  const auto answer = s.files.download("w/file", {{"Range", "bytes=4999999999-"}});
  CHECK_EQ(answer.status, 206);
  CHECK_EQ(answer.body, std::string("\0the end", 8));
  CHECK_EQ(answer.header("content-range"), "bytes 4999999999-5000000006/5000000007");
}

TEST_CASE("ranges put together are the file") {
  HomeScene s;
  const auto content = patterned(3'000'000);
  s.write("file", content);
  std::string together;
  for (std::size_t at = 0; at < content.size(); at += 700'001) {
    const auto range = "bytes=" + std::to_string(at) + "-" + std::to_string(at + 700'000);
    const auto answer = s.files.download("w/file", {{"Range", range}});
    REQUIRE_EQ(answer.status, 206);
    together += answer.body;
  }
  CHECK(together == content);
}

TEST_SUITE_END();
