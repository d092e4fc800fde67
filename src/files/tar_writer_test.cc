#include "files/tar_writer.h"

#include <doctest/doctest.h>

#include "base/utf8.h"
#include "files/tar_test_archive.h"

namespace sa::tar_test {
namespace {

// True when the entry is refused by its name, nothing of it was written and nothing outside changed.
bool refused(const Scratch& scratch, const Archive& archive, std::string_view name) {
  const Names before = scratch.names();
  const auto unpacked = scratch.unpack(archive.end());
  std::string named;
  append_json_string(named, name);
  return !unpacked && unpacked.error().code == ErrorCode::invalid_request && unpacked.error().extra("path") == named &&
         scratch.names() == before && std::filesystem::is_empty(scratch.outside());
}

TEST_CASE("an entry whose name leads out of the target is refused, whatever kind it is") {
  const Scratch scratch;
  for (const std::string& name : {"/absolute", "../outside/a", "a/../../outside/a", "..", "a/.."}) {
    CHECK(refused(scratch, Archive().file(name), name));
    CHECK(refused(scratch, Archive().directory(name), name));
    CHECK(refused(scratch, Archive().symlink(name, "x"), name));
    CHECK(refused(scratch, Archive().hard_link(name, "x"), name));
  }
}

TEST_CASE("an entry whose way leads through a link is refused, wherever the link leads") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "inside");
  std::filesystem::create_symlink(scratch.outside(), scratch / "out");
  std::filesystem::create_symlink("inside", scratch / "in");
  std::filesystem::create_symlink("nowhere", scratch / "dangling");
  std::filesystem::create_symlink("../../outside", scratch / "inside/deep");
  for (const std::string& link : {"out", "in", "dangling", "inside/deep"}) {
    CHECK(refused(scratch, Archive().file(link + "/a"), link + "/a"));
    CHECK(refused(scratch, Archive().file(link + "/new/a"), link + "/new/a"));
    CHECK(refused(scratch, Archive().directory(link + "/a"), link + "/a"));
    CHECK(refused(scratch, Archive().symlink(link + "/a", "x"), link + "/a"));
  }
}

TEST_CASE("an archive cannot use a link of its own to write elsewhere") {
  const Scratch scratch;
  const auto unpacked = scratch.unpack(Archive().symlink("a", "../outside").file("a/b").end());
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::invalid_request);
  CHECK(scratch.names() == Names{"a"});
  CHECK(std::filesystem::is_empty(scratch.outside()));
}

TEST_CASE("a link that somebody puts in the way meanwhile is not followed") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "a");
  Pieces pieces{.bytes = Archive().file("a/1").file("b/1").file("a/2").end(), .piece = 512};
  pieces.before_piece = [&] {
    if (pieces.given != 2'048) return;  // "b/1" is being written
    std::filesystem::rename(scratch / "a", scratch / "away");
    std::filesystem::create_symlink(scratch.outside(), scratch / "a");
  };
  const auto unpacked = scratch.unpack(pieces.next());
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::invalid_request);
  CHECK(scratch.names() == Names{"a", "away", "away/1", "b", "b/1"});
  CHECK(std::filesystem::is_empty(scratch.outside()));
}

TEST_CASE("device nodes, FIFOs and entries of no kind are refused") {
  const Scratch scratch;
  for (const char type : {'3', '4', '6', 'M'})
    CHECK(refused(scratch, Archive().entry({.name = "d/node", .type = type}), "d/node"));
}

TEST_CASE("a name longer than file systems take is refused") {
  const Scratch scratch;
  const std::string name = "d/" + std::string(300, 'n');
  CHECK(refused(scratch, Archive().gnu_long_name(name).entry({.name = "cut", .magic = gnu_magic}), name));
}

TEST_CASE("the target itself is no entry of its own") {
  const Scratch scratch;
  const auto before = scratch.look(".").st_mode;
  const auto unpacked = scratch.unpack(Archive().directory(".", 0700).directory("./", 0700).file("./a").end());
  REQUIRE(unpacked);
  CHECK(unpacked->paths == Names{scratch / "a"});
  CHECK(scratch.look(".").st_mode == before);
  CHECK(refused(scratch, Archive().file("."), "."));
  CHECK(refused(scratch, Archive().symlink("./.", "x"), "./."));
}

TEST_CASE("a symbolic link takes the place of files and links, and keeps its time") {
  const Scratch scratch;
  scratch.write(scratch / "file", "old");
  std::filesystem::create_symlink("old", scratch / "link");
  REQUIRE(
      scratch.unpack(Archive().symlink("file", "to/file").symlink("link", "to/link").symlink("d/new", "../../outside").end()));
  CHECK(std::filesystem::read_symlink(scratch / "file") == "to/file");
  CHECK(std::filesystem::read_symlink(scratch / "link") == "to/link");
  CHECK(std::filesystem::read_symlink(scratch / "d/new") == "../../outside");
  CHECK(scratch.look("file").st_mtim.tv_sec == 1'000'000'000);
  CHECK(scratch.look("d/new").st_mtim.tv_sec == 1'000'000'000);
  CHECK(scratch.names() == Names{"d", "d/new", "file", "link"});
}

TEST_CASE("a symbolic link does not take the place of a directory, and must have a text") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "a");
  const auto unpacked = scratch.unpack(Archive().symlink("a", "x").end());
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::conflict);
  CHECK(refused(scratch, Archive().symlink("d/b", ""), "d/b"));
}

TEST_CASE("a hard link shares the file, also one that was there before, and takes the place of another") {
  const Scratch scratch;
  scratch.write(scratch / "there", "there");
  scratch.write(scratch / "old", "old");
  REQUIRE(scratch.unpack(Archive()
                             .file("d/a", "shared", 0640)
                             .hard_link("e/b", "./d/a")
                             .hard_link("c", "there")
                             .hard_link("old", "d/a")
                             .hard_link("old", "d/a")
                             .hard_link("d/a", "d/a")
                             .end()));
  CHECK(scratch.look("e/b").st_ino == scratch.look("d/a").st_ino);
  CHECK(scratch.look("old").st_ino == scratch.look("d/a").st_ino);
  CHECK(scratch.look("c").st_ino == scratch.look("there").st_ino);
  CHECK(scratch.mode("e/b") == 0640);
  CHECK(scratch.names() == Names{"c", "d", "d/a", "e", "e/b", "old", "there"});
}

TEST_CASE("a hard link to a symbolic link is that link, not what it leads to") {
  const Scratch scratch;
  REQUIRE(scratch.unpack(Archive().symlink("a", "../outside").hard_link("b", "a").end()));
  CHECK(std::filesystem::read_symlink(scratch / "b") == "../outside");
}

TEST_CASE("a hard link that leads out, through a link, to nothing or to a directory is refused") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "directory");
  std::filesystem::create_symlink("..", scratch / "up");
  std::filesystem::create_symlink("directory", scratch / "in");
  scratch.write(scratch / "directory/file", "");
  for (const std::string& to : {"/etc/passwd", "../secret", "directory/../../secret", "up/secret", "in/file", "missing",
                                "missing/file", "directory", ".", "directory/file/x"}) {
    CAPTURE(to);
    CHECK(refused(scratch, Archive().hard_link("new/a", to), "new/a"));
  }
}

TEST_CASE("a file in the place of a directory on the way is a conflict") {
  const Scratch scratch;
  const auto unpacked = scratch.unpack(Archive().file("a").file("a/b").end());
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::conflict);
  CHECK(scratch.names() == Names{"a"});
}

TEST_CASE("errors are well-formed however names are spelled") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "caf\xE9");
  for (const auto& archive : {Archive().file("caf\xE9"), Archive().file("/\xFF\"")}) {
    const auto unpacked = scratch.unpack(archive.end());
    REQUIRE(!unpacked);
    CHECK(is_utf8(unpacked.error().detail));
    for (const ErrorExtra& found : unpacked.error().extras) CHECK(is_utf8(found.json));
  }
}

}  // namespace
}  // namespace sa::tar_test
