#include "files/tar_parents.h"

#include <doctest/doctest.h>

#include "files/tar_test_archive.h"

namespace sa::tar_test {
namespace {

struct Walk {
  Scratch scratch;
  UniqueFd target{::open(scratch.target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  TarParents parents{target.get()};
};

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST_CASE("directories on the way are made when asked for, and only then") {
  Walk walk;
  CHECK(walk.parents.open("a/b", Parents::must_exist).error() == ENOENT);
  CHECK(walk.scratch.names().empty());
  CHECK(walk.parents.open("a/b", Parents::create));
  CHECK(walk.parents.open("a/b", Parents::must_exist));
  CHECK(walk.parents.open("", Parents::must_exist) == walk.target.get());
  CHECK(walk.scratch.names() == Names{"a", "a/b"});
}

TEST_CASE("the directory opened last is not opened again") {
  Walk walk;
  const int first = walk.parents.open("a/b", Parents::create).value();
  std::filesystem::rename(walk.scratch / "a", walk.scratch / "elsewhere");
  CHECK(walk.parents.open("a/b", Parents::create) == first);
  CHECK(walk.parents.open("a", Parents::must_exist).error() == ENOENT);
}

TEST_CASE("a link and a file on the way are told apart") {
  Walk walk;
  std::filesystem::create_symlink(".", walk.scratch / "link");
  walk.scratch.write(walk.scratch / "file", "");
  for (const auto how : {Parents::must_exist, Parents::create}) {
    CHECK(walk.parents.open("link", how).error() == ELOOP);
    CHECK(walk.parents.open("link/a", how).error() == ELOOP);
    CHECK(walk.parents.open("file/a", how).error() == ENOTDIR);
  }
}

TEST_CASE("what was made for an entry that failed is removed, and nothing else") {
  Walk walk;
  REQUIRE(walk.parents.open("kept", Parents::create));
  REQUIRE(walk.parents.open("kept/a/b/c", Parents::create));
  walk.parents.undo();
  CHECK(walk.scratch.names() == Names{"kept"});
  walk.parents.undo();
  CHECK(walk.scratch.names() == Names{"kept"});

  REQUIRE(walk.parents.open("kept/a/b", Parents::create));
  walk.scratch.write(walk.scratch / "kept/a/somebody's", "");
  walk.parents.undo();
  CHECK(walk.scratch.names() == Names{"kept", "kept/a", "kept/a/somebody's"});
}

TEST_CASE("descriptors do not become more with the depth or the number of directories") {
  Walk walk;
  const std::size_t before = open_descriptors();
  std::string deep;
  for (int i = 0; i < 50; ++i) deep += fmt::format("{}d{}", i == 0 ? "" : "/", i);
  REQUIRE(walk.parents.open(deep, Parents::create));
  for (int i = 0; i < 50; ++i) REQUIRE(walk.parents.open(fmt::format("wide{}", i), Parents::create));
  CHECK(open_descriptors() == before + 1);
}

}  // namespace
}  // namespace sa::tar_test
