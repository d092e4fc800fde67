#include <doctest/doctest.h>
#include <sys/stat.h>

#include "fs_scene.h"

using namespace rig;

TEST_SUITE_BEGIN("fs");

TEST_CASE("stat describes a file and a directory, without a name") {
  HomeScene s;
  s.write("file", "12345");
  set_times(s.work / "file", {.tv_sec = 951'782'400, .tv_nsec = 0});
  const auto file = parse_json(s.files.stat("w/file").body);
  CHECK_EQ(text_in(file, "path"), s.at("file"));
  CHECK_EQ(text_in(file, "entryType"), "file");
  CHECK_EQ(file.at("size").to_number<std::int64_t>(), 5);
  CHECK(text_in(file, "modified").starts_with("2000-02-29T00:00:00"));
  CHECK(is_utc_time(text_in(file, "modified")));
  CHECK_FALSE(file.as_object().contains("name"));
  CHECK_EQ(text_at(s.files.stat("w").body, "entryType"), "directory");
  CHECK_EQ(text_at(s.files.stat(s.work.native()).body, "path"), s.work.native());
}

TEST_CASE("a file may have a name of blanks, and one without any name is none") {
  HomeScene s;
  CHECK_EQ(s.files.upload(" ", "blank").status, 200);
  CHECK_EQ(s.files.download(" ").body, "blank");
  CHECK_EQ(number_at(s.files.stat(" ").body, "size"), 5);
  CHECK_EQ(problem_of(s.files.stat("")), "400 invalid_request");
}

TEST_CASE("stat follows links to what they stand for") {
  HomeScene s;
  s.write("file", "12345");
  std::filesystem::create_symlink("file", s.work / "first");
  std::filesystem::create_symlink("first", s.work / "second");
  std::filesystem::create_directory_symlink(s.work, s.work / "around");
  const auto answer = s.files.stat("w/second");
  REQUIRE_EQ(answer.status, 200);
  CHECK_EQ(number_at(answer.body, "size"), 5);
  CHECK_EQ(text_at(answer.body, "entryType"), "file");
  CHECK_EQ(text_at(s.files.stat("w/around").body, "entryType"), "directory");
  CHECK_EQ(number_at(s.files.stat("w/around/around/second").body, "size"), 5);
}

TEST_CASE("stat of nothing and of a link to nothing is 404, of a loop of links 409") {
  HomeScene s;
  std::filesystem::create_symlink("nowhere", s.work / "dangling");
  std::filesystem::create_symlink("b", s.work / "a");
  std::filesystem::create_symlink("a", s.work / "b");
  CHECK_EQ(problem_of(s.files.stat("w/none")), "404 not_found");
  CHECK_EQ(problem_of(s.files.stat("w/dangling")), "404 not_found");
  CHECK_EQ(problem_of(s.files.stat("w/a")), "409 conflict");
  CHECK_EQ(problem_of(s.files.stat("w/a/b")), "409 conflict");
}

TEST_CASE("times before 1970 and after 2038 are told rightly") {
  HomeScene s;
  s.write("old", "");
  s.write("new", "");
  set_times(s.work / "old", {.tv_sec = -86'400, .tv_nsec = 500'000'000});
  set_times(s.work / "new", {.tv_sec = 4'102'444'800, .tv_nsec = 0});
  const auto time_of = [&](const char* name) { return text_at(s.files.stat(std::string("w/") + name).body, "modified"); };
  CHECK(time_of("old").starts_with("1969-12-31T00:00:00"));
  CHECK(is_utc_time(time_of("old")));
  CHECK(time_of("new").starts_with("2100-01-01T00:00:00"));
}

TEST_CASE("a file over 4 GiB has its size") {
  HomeScene s;
  s.write("large", "");
  std::filesystem::resize_file(s.work / "large", 5'000'000'000);
  CHECK_EQ(number_at(s.files.stat("w/large").body, "size"), 5'000'000'000);
}

TEST_CASE("routes that need a path say so") {
  HomeScene s;
  for (const auto& [method, route] :
       {std::pair("GET", "stat"), {"GET", "file"}, {"PUT", "file"}, {"DELETE", "entry"}, {"POST", "mkdir"}}) {
    INFO(method, " ", route);
    for (const char* query : {"", "?", "?path=", "?paths=w"}) {
      const auto answer = s.files.request(method, std::string("/v1/fs/") + route + query);
      CHECK_EQ(problem_of(answer), "400 invalid_request");
      CHECK_EQ(field_of(answer), "path");
    }
  }
}

TEST_CASE("names too long for the disk are 400") {
  HomeScene s;
  write_file(s.daemon.home() / "movable", "");
  const std::string long_name(256, 'n');
  for (const auto& path : {"w/" + long_name, "w/" + long_name + "/below"}) {
    for (const auto& [route, answer] : every_route(s.files, percent_encoded(path), path)) {
      INFO(route);
      CHECK_EQ(problem_of(answer), "400 invalid_request");
    }
  }
  std::string long_path = "w";
  while (long_path.size() < 5000) long_path += "/" + std::string(200, 'd');
  CHECK_EQ(problem_of(s.files.stat(long_path)), "400 invalid_request");
  CHECK(names_below(s.work).empty());
}

TEST_SUITE_END();
