#include "files/tar_extract.h"

#include <doctest/doctest.h>

#include "files/tar_test_archive.h"

namespace sa::tar_test {
namespace {

TEST_CASE("the answer names files, links and directories in the archive's order, by their absolute paths") {
  const Scratch scratch;
  const auto unpacked =
      scratch.unpack(Archive().directory("./d/").file("d//z").symlink("d/./l", "x").hard_link("h", "d/z").file("a").end());
  REQUIRE(unpacked);
  CHECK(unpacked->paths == Names{scratch / "d", scratch / "d/z", scratch / "d/l", scratch / "h", scratch / "a"});
  CHECK(!unpacked->truncated);
}

TEST_CASE("the answer names no more than it is asked to, and says so") {
  const Scratch scratch;
  const std::string bytes = Archive().file("a").file("b").file("c").end();
  const auto some = scratch.unpack(bytes, {.max_paths = 2});
  REQUIRE(some);
  CHECK(some->paths == Names{scratch / "a", scratch / "b"});
  CHECK(some->truncated);
  const auto all = scratch.unpack(bytes, {.max_paths = 3});
  REQUIRE(all);
  CHECK(all->paths.size() == 3);
  CHECK(!all->truncated);
}

TEST_CASE("entries before the one at fault stay, and none after it is written") {
  const Scratch scratch;
  CHECK(!scratch.unpack(Archive().file("a").file("b/c").file("b/../d").file("e").end()));
  CHECK(scratch.names() == Names{"a", "b", "b/c"});
}

TEST_CASE("an archive unpacked twice leaves the same files and nothing hidden") {
  const Scratch scratch;
  const std::string bytes =
      Archive().directory("d", 0755).file("d/a").symlink("d/l", "a").hard_link("d/h", "d/a").file("b", "").end();
  REQUIRE(scratch.unpack(bytes));
  const Names once = scratch.names();
  REQUIRE(scratch.unpack(bytes));
  CHECK(scratch.names() == once);
  CHECK(once == Names{"b", "d", "d/a", "d/h", "d/l"});
  CHECK(scratch.look("d/h").st_ino == scratch.look("d/a").st_ino);
}

TEST_CASE("many small files and a large one arrive as they were") {
  const Scratch scratch;
  Archive archive;
  for (int i = 0; i < 600; ++i) archive.file(fmt::format("d{}/f{}", i % 20, i), std::to_string(i));
  std::string large(5u << 20, '\0');
  for (std::size_t at = 0; at < large.size(); ++at) large[at] = static_cast<char>(at * at >> 7);
  REQUIRE(scratch.unpack(gzip(archive.file("large", large).end())));
  for (int i = 0; i < 600; i += 7) CHECK(scratch.read(fmt::format("d{}/f{}", i % 20, i)) == std::to_string(i));
  CHECK(scratch.read("large") == large);
}

TEST_CASE("no descriptor is left open, whether unpacking succeeds or fails") {
  const auto open_descriptors = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const Scratch scratch;
  const auto before = open_descriptors();
  CHECK(scratch.unpack(Archive().file("a/b/c").hard_link("d/e", "a/b/c").end()));
  CHECK(!scratch.unpack(Archive().file("a/b/c").hard_link("d/e", "a/b/c").file("../x").end()));
  CHECK(open_descriptors() == before);
}

}  // namespace
}  // namespace sa::tar_test
