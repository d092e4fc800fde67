#include <doctest/doctest.h>
#include <sys/stat.h>

#include "fs_scene.h"
#include "support/packed.h"
#include "support/tar_writer.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

std::string usual_archive() {
  return TarWriter()
      .directory("folder/", 0750, 1'500'000'000)
      .file("folder/script", "#!/bin/sh\n", 0755, 1'500'000'001)
      .file("folder/large", patterned(300'000), 0640)
      .file("empty", "", 0600)
      .symlink("folder/link", "../empty")
      .hard_link("same", "folder/script")
      .finished();
}

void check_usual(const HomeScene& s, const std::string& below) {
  const auto at = s.work / below;
  CHECK_EQ(names_below(at), Names{"empty", "folder", "same"});
  CHECK_EQ(names_below(at / "folder"), Names{"large", "link", "script"});
  CHECK_EQ(mode_of(at / "folder"), 0750);
  CHECK_EQ(status_of(at / "folder").st_mtim.tv_sec, 1'500'000'000);
  CHECK_EQ(mode_of(at / "folder/script"), 0755);
  CHECK_EQ(status_of(at / "folder/script").st_mtim.tv_sec, 1'500'000'001);
  CHECK_EQ(mode_of(at / "folder/large"), 0640);
  CHECK_EQ(status_of(at / "folder/large").st_mtim.tv_sec, tar_time);
  CHECK(read_file(at / "folder/large") == patterned(300'000));
  CHECK_EQ(mode_of(at / "empty"), 0600);
  CHECK_EQ(link_text(at / "folder/link"), "../empty");
  CHECK_EQ(status_of(at / "same").st_ino, status_of(at / "folder/script").st_ino);
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("an archive is unpacked with its modes, times and links, plain or compressed") {
  HomeScene s;
  const auto archive = usual_archive();
  for (const auto& [name, packed] :
       {std::pair<std::string, std::string>{"plain", archive}, {"gzip", gzipped(archive)}, {"zstd", zstd_packed(archive)}}) {
    INFO(name);
    const auto answer = s.files.unpack("w/" + name, packed);
    REQUIRE_EQ(answer.status, 200);
    CHECK(answer.header("content-type").starts_with("application/json"));
    const auto at = s.at(name);
    CHECK_EQ(texts_at(answer.body, "paths"), Names{at + "/folder", at + "/folder/script", at + "/folder/large", at + "/empty",
                                                   at + "/folder/link", at + "/same"});
    CHECK_EQ(at_path(parse_json(answer.body), "truncated"), boost::json::value(false));
    check_usual(s, name);
  }
}

TEST_CASE("an archive that comes in small pieces or in chunks is unpacked all the same") {
  HomeScene s;
  const auto archive = usual_archive();
  auto sized = s.files.begin_unpack("w/sized", archive.size(), "");
  for (std::size_t at = 0; at < archive.size(); at += 1'777) sized.send(archive.substr(at, 1'777));
  CHECK_EQ(sized.read_response().status, 200);
  check_usual(s, "sized");
  auto chunked = s.files.begin("POST", Files::target("upload-batch", "w/chunked"),
                               {{"Content-Type", "application/x-tar"}, {"Transfer-Encoding", "chunked"}});
  for (std::size_t at = 0; at < archive.size(); at += 0x1235) {
    const auto piece = archive.substr(at, 0x1235);
    char head[16];
    std::snprintf(head, sizeof head, "%zx\r\n", piece.size());
    chunked.send(head + piece + "\r\n");
  }
  chunked.send("0\r\n\r\n");
  CHECK_EQ(chunked.read_response().status, 200);
  check_usual(s, "chunked");
  chunked.send(http_request("GET", "/healthz"));
  CHECK_EQ(chunked.read_response().body, "ok");
}

TEST_CASE("an archive without a path goes to the root") {
  HomeScene s;
  const auto answer =
      s.files.request("POST", "/v1/fs/upload-batch", {{"Content-Type", "application/x-tar"}}, tar_of("unpacked", "content"));
  REQUIRE_EQ(answer.status, 200);
  CHECK_EQ(texts_at(answer.body, "paths"), Names{(s.daemon.home() / "unpacked").native()});
  CHECK_EQ(read_file(s.daemon.home() / "unpacked"), "content");
}

TEST_CASE("the target and the parents of entries are made") {
  HomeScene s;
  REQUIRE_EQ(s.files.unpack("w/new/deep", tar_of("a/b/file", "content")).status, 200);
  CHECK_EQ(s.read("new/deep/a/b/file"), "content");
}

TEST_CASE("a target that is a link to a directory is followed, one that is a file is 409") {
  HomeScene s;
  std::filesystem::create_directory(s.work / "folder");
  std::filesystem::create_directory_symlink("folder", s.work / "link");
  s.write("file", "x");
  CHECK_EQ(s.files.unpack("w/link", tar_of("inside", "content")).status, 200);
  CHECK_EQ(s.read("folder/inside"), "content");
  CHECK_EQ(problem_of(s.files.unpack("w/file", tar_of("inside", "content"))), "409 conflict");
  CHECK_EQ(s.read("file"), "x");
}

TEST_CASE("the answer names the first 1,024 paths and says that there were more") {
  HomeScene s;
  const MemoryFolder memory;
  TarWriter tar;
  for (int i = 0; i < 1024; ++i) tar.file("f" + std::to_string(i));
  auto answer = s.files.unpack(memory.at("exact"), tar.finished());
  CHECK_EQ(texts_at(answer.body, "paths").size(), 1024);
  CHECK_EQ(at_path(parse_json(answer.body), "truncated"), boost::json::value(false));
  tar.file("f1024");
  answer = s.files.unpack(memory.at("more"), tar.finished());
  const auto paths = texts_at(answer.body, "paths");
  REQUIRE_EQ(paths.size(), 1024);
  CHECK_EQ(paths.front(), memory.at("more/f0"));
  CHECK_EQ(paths.back(), memory.at("more/f1023"));
  CHECK_EQ(at_path(parse_json(answer.body), "truncated"), boost::json::value(true));
  CHECK_EQ(names_below(memory.at("more")).size(), 1025);
}

TEST_CASE("an entry takes the place of a file or a link of its name, not of what the link stands for") {
  HomeScene s;
  s.write("precious", "untouched");
  s.write("t/file", "old");
  chmod(s.at("t/file").c_str(), 0700);
  std::filesystem::create_symlink("../precious", s.work / "t/link");
  std::filesystem::create_hard_link(s.work / "precious", s.work / "t/hard");
  REQUIRE_EQ(s.files.unpack("w/t", TarWriter().file("file", "1").file("link", "2").file("hard", "3").finished()).status, 200);
  CHECK_EQ(s.read("t/file"), "1");
  CHECK_EQ(mode_of(s.work / "t/file"), 0644);
  CHECK_EQ(s.read("t/link"), "2");
  CHECK_FALSE(is_link(s.work / "t/link"));
  CHECK_EQ(s.read("t/hard"), "3");
  CHECK_EQ(s.read("precious"), "untouched");
}

TEST_CASE("an entry of a directory that is there keeps what is in it") {
  HomeScene s;
  s.write("t/folder/old", "x");
  REQUIRE_EQ(s.files.unpack("w/t", TarWriter().directory("folder/", 0711).file("folder/new", "y").finished()).status, 200);
  CHECK_EQ(names_below(s.work / "t/folder"), Names{"new", "old"});
  CHECK_EQ(mode_of(s.work / "t/folder"), 0711);
}

TEST_CASE("long names, names with prefixes and fine times are kept") {
  HomeScene s;
  const std::string by_gnu = std::string(150, 'g') + "/" + std::string(200, 'n');
  const std::string by_pax = std::string(200, 'p') + "/grüße";
  const std::string long_link(500, 'l');
  TarWriter tar;
  tar.file(by_gnu, "gnu").symlink("link", long_link);
  tar.pax({{"path", by_pax}, {"mtime", "1500000000.123456789"}}).file("replaced", "pax");
  REQUIRE_EQ(s.files.unpack("w/t", tar.finished()).status, 200);
  CHECK_EQ(s.read("t/" + by_gnu), "gnu");
  CHECK_EQ(s.read("t/" + by_pax), "pax");
  CHECK_EQ(status_of(s.work / "t" / by_pax).st_mtim.tv_nsec, 123'456'789);
  CHECK_EQ(link_text(s.work / "t/link"), long_link);
}

TEST_CASE("owners and the bits that lend their rights are not restored") {
  HomeScene s;
  TarWriter tar;
  tar.add({.name = "lends", .content = "x", .mode = 06755, .owner = 12345});
  REQUIRE_EQ(s.files.unpack("w/t", tar.finished()).status, 200);
  CHECK_EQ(mode_of(s.work / "t/lends"), 0755);
  CHECK_EQ(status_of(s.work / "t/lends").st_uid, status_of(s.work).st_uid);
}

TEST_CASE("directories without write permission can be filled") {
  HomeScene s;
  REQUIRE_EQ(s.files.unpack("w/t", TarWriter().directory("d/", 0555).file("d/file", "x").finished()).status, 200);
  CHECK_EQ(mode_of(s.work / "t/d"), 0555);
  CHECK_EQ(s.read("t/d/file"), "x");
  chmod(s.at("t/d").c_str(), 0755);
}

TEST_CASE("an archive of nothing is no path") {
  HomeScene s;
  const auto answer = s.files.unpack("w/t", TarWriter().finished());
  REQUIRE_EQ(answer.status, 200);
  CHECK(texts_at(answer.body, "paths").empty());
}

TEST_CASE("other content types are 415 and write nothing") {
  HomeScene s;
  for (const std::string type : {"application/json", "text/plain", "multipart/form-data; boundary=x"}) {
    const auto answer = s.files.request("POST", Files::target("upload-batch", "w"), {{"Content-Type", type}}, tar_of("f", "x"));
    CHECK_EQ(problem_of(answer), "415 unsupported_media_type");
  }
  CHECK(names_below(s.work).empty());
}

TEST_CASE("an archive made by tar and gzip is unpacked, holes included") {
  HomeScene s;
  s.write("source/file", patterned(50'000));
  s.write("source/sparse", "");
  std::filesystem::resize_file(s.work / "source/sparse", 10'000'000);
  std::filesystem::create_symlink("file", s.work / "source/link");
  Launch launch;
  launch.argv = {"/bin/sh", "-c", "tar -C source -S -czf archive.tar.gz ."};
  launch.cwd = s.work;
  launch.env = {"PATH=/usr/bin:/bin"};
  const auto ending = Process(launch).wait(milliseconds(10'000));
  REQUIRE((ending && ending->code == 0));
  REQUIRE_EQ(s.files.unpack("w/unpacked", s.read("archive.tar.gz")).status, 200);
  CHECK(tree_shot(s.work / "unpacked") == tree_shot(s.work / "source"));
  CHECK_LT(status_of(s.work / "unpacked/sparse").st_blocks * 512, 1'000'000);
}

TEST_CASE("at most sixteen archives are unpacked at once, the next is told to come again") {
  HomeScene s;
  const auto archive = tar_of("file", "content");
  std::vector<Connection> clients;
  for (int i = 0; i < 16; ++i) {
    clients.push_back(s.files.begin_unpack("w/t" + std::to_string(i), archive.size(), archive.substr(0, 600)));
  }
  REQUIRE(eventually([&] { return names_below(s.work).size() == 16; }));
  const auto answer = s.files.unpack("w/more", archive);
  CHECK_EQ(problem_of(answer), "503 overloaded");
  CHECK(answer.has("retry-after"));
  for (auto& client : clients) client.send(archive.substr(600));
  for (auto& client : clients) CHECK_EQ(client.read_response().status, 200);
  CHECK(eventually([&] { return s.files.unpack("w/more", archive).status == 200; }));
}

TEST_CASE("an archive that is refused leaves no new directory for it") {
  HomeScene s;
  CHECK_EQ(problem_of(s.files.unpack("w/new", "this is no archive")), "400 invalid_request");
  CHECK_EQ(problem_of(s.files.unpack("w/new/deep/er", "this is no archive")), "400 invalid_request");
  CHECK(names_below(s.work).empty());
  s.write("old/file", "x");
  std::filesystem::create_directory(s.work / "empty");
  CHECK_EQ(problem_of(s.files.unpack("w/old/deep/er", "this is no archive")), "400 invalid_request");
  CHECK_EQ(problem_of(s.files.unpack("w/empty/deep/er", "this is no archive")), "400 invalid_request");
  CHECK_EQ(names_below(s.work), Names{"empty", "old"});
  CHECK_EQ(names_below(s.work / "old"), Names{"file"});
  CHECK(names_below(s.work / "empty").empty());
}

TEST_SUITE_END();
