#include "files/tar_directories.h"

#include <doctest/doctest.h>

#include "files/tar_test_archive.h"

namespace sa::tar_test {
namespace {

TEST_CASE("a directory's mode and time are set when everything in it has been written") {
  const Scratch scratch;
  REQUIRE(scratch.unpack(Archive()
                             .directory("closed", 0555)
                             .directory("closed/within", 0)
                             .file("closed/within/a", "1")
                             .file("closed/b", "2")
                             .directory("open", 07777)
                             .end()));
  CHECK(scratch.mode("closed") == 0555);
  CHECK(scratch.mode("open") == 01777);
  CHECK(scratch.look("closed").st_mtim.tv_sec == 1'000'000'000);
  CHECK(scratch.look("open").st_mtim.tv_sec == 1'000'000'000);
  CHECK(scratch.mode("closed/within") == 0);
  CHECK(scratch.look("closed/within").st_mtim.tv_sec == 1'000'000'000);
}

TEST_CASE("directories nobody mentions are made as the umask says") {
  const mode_t before = ::umask(027);
  const Scratch scratch;
  const auto unpacked = scratch.unpack(Archive().file("a/b/c").end());
  ::umask(before);
  REQUIRE(unpacked);
  CHECK(unpacked->paths == Names{scratch / "a/b/c"});
  CHECK(scratch.mode("a") == 0750);
  CHECK(scratch.mode("a/b") == 0750);
}

TEST_CASE("a directory that is there keeps what is in it and gets the new mode and time") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "a");
  scratch.write(scratch / "a/kept", "kept");
  REQUIRE(scratch.unpack(Archive().directory("a", 0700).directory("a", 0711).file("a/b").end()));
  CHECK(scratch.names() == Names{"a", "a/b", "a/kept"});
  CHECK(scratch.mode("a") == 0711);
  CHECK(scratch.look("a").st_mtim.tv_sec == 1'000'000'000);
}

TEST_CASE("a directory does not take the place of a file, nor of a link to a directory") {
  const Scratch scratch;
  scratch.write(scratch / "file", "kept");
  std::filesystem::create_symlink("../outside", scratch / "link");
  const auto onto_file = scratch.unpack(Archive().directory("file").end());
  REQUIRE(!onto_file);
  CHECK(onto_file.error().code == ErrorCode::conflict);
  const auto onto_link = scratch.unpack(Archive().directory("link", 0700).end());
  REQUIRE(!onto_link);
  CHECK(onto_link.error().code == ErrorCode::invalid_request);
  CHECK(scratch.read("file") == "kept");
  CHECK(scratch.look("../outside").st_mtim.tv_sec != 1'000'000'000);
}

TEST_CASE("a failure does not keep directories before it from their modes and times") {
  const Scratch scratch;
  CHECK(!scratch.unpack(Archive().directory("a", 0711).file("a/b").file("../c").end()));
  CHECK(scratch.mode("a") == 0711);
  CHECK(scratch.look("a").st_mtim.tv_sec == 1'000'000'000);
}

TEST_CASE("a directory that is gone or was replaced when its time comes is no failure") {
  const Scratch scratch;
  const auto before = scratch.look("../outside");
  Pieces pieces{.bytes = Archive().directory("a", 0700).directory("b", 0700).file("c").end(), .piece = 512};
  pieces.before_piece = [&] {
    if (pieces.given != 1'536) return;  // before the content of "c"
    std::filesystem::remove(scratch / "a");
    std::filesystem::remove(scratch / "b");
    std::filesystem::create_symlink(scratch.outside(), scratch / "b");
  };
  CHECK(scratch.unpack(pieces.next()));
  CHECK(scratch.look("../outside").st_mode == before.st_mode);
  CHECK(scratch.look("../outside").st_mtim.tv_sec == before.st_mtim.tv_sec);
}

TEST_CASE("any number of directories can be remembered, for they are settled in between") {
  const Scratch scratch;
  const UniqueFd target(::open(scratch.target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  TarParents parents(target.get());
  const std::string path = scratch.target();
  TarDirectories directories(parents, path);
  std::filesystem::create_directory(scratch / "first");
  REQUIRE(directories.add("first", 0711, {.tv_sec = 5, .tv_nsec = 0}));
  for (int i = 0; i < 65'535; ++i) REQUIRE(directories.add(fmt::format("gone/{}", i), 0755, {}));
  CHECK(scratch.mode("first") == 0711);
  CHECK(scratch.look("first").st_mtim.tv_sec == 5);
}

}  // namespace
}  // namespace sa::tar_test
