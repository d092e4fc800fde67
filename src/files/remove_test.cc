#include "files/remove.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>

#include "base/scratch_folder.h"

namespace sa {
namespace {

const StopFlag go_on = false;

struct Tree {
  ScratchFolder folder;
  FileRoot root = std::move(*FileRoot::open(folder.path(), Confined::no));

  Result<void> remove(std::string_view path, Recursive recursive, const StopFlag& stop = go_on) const {
    return sa::remove(*place_of(*root.guard(path)), recursive, stop);
  }
  // A chain of directories too deep for any path.
  void dig(const char* top, int levels) const {
    UniqueFd here(::open(folder.path().c_str(), O_PATH));
    for (const char* name = top; levels > 0; name = "deeper", --levels) {
      REQUIRE(::mkdirat(here.get(), name, 0755) == 0);
      here.reset(::openat(here.get(), name, O_PATH));
    }
  }
};

}  // namespace

TEST_CASE("a file, an empty directory and a link are removed, the link's target is not") {
  const Tree tree;
  tree.folder.write("file", "x");
  tree.folder.directory("empty");
  tree.folder.write("full/file", "x");
  tree.folder.link("link", "full");
  CHECK(tree.remove("file", Recursive::no));
  CHECK(tree.remove("empty", Recursive::no));
  CHECK(tree.remove("link", Recursive::yes));
  CHECK(tree.folder.names() == std::vector<std::string>{"full"});
  CHECK(tree.folder.has("full/file"));
}

TEST_CASE("a slash at the end means a directory: nothing else is removed by it") {
  const Tree tree;
  tree.folder.write("file", "x");
  tree.folder.write("full/below", "x");
  tree.folder.directory("empty");
  tree.folder.link("way", "full");
  for (const Recursive recursive : {Recursive::no, Recursive::yes})
    for (const char* path : {"file/", "file/.", "way/"})
      CHECK_MESSAGE(tree.remove(path, recursive).error().code == ErrorCode::conflict, path);
  CHECK(tree.remove("none/", Recursive::yes).error().code == ErrorCode::not_found);
  CHECK(tree.remove("empty/", Recursive::no));
  CHECK(tree.remove("full/", Recursive::no).error().code == ErrorCode::conflict);
  CHECK(tree.folder.read("full/below") == "x");
  CHECK(tree.remove("full/", Recursive::yes));
  CHECK(tree.folder.names() == std::vector<std::string>{"file", "way"});
}

TEST_CASE("what is missing and what is not empty are told apart") {
  const Tree tree;
  tree.folder.write("full/file", "x");
  CHECK(tree.remove("missing", Recursive::yes).error().code == ErrorCode::not_found);
  CHECK(tree.remove("full", Recursive::no).error().code == ErrorCode::conflict);
  CHECK(tree.folder.has("full/file"));
}

TEST_CASE("a tree is removed with all below it, and nothing its links point to") {
  const Tree tree;
  tree.folder.write("keep/file", "x");
  for (int i = 0; i < 300; ++i) tree.folder.write(fmt::format("tree/{}/{}/file", i % 17, i), "x");
  tree.folder.link("tree/link", "../keep");
  tree.folder.link("tree/3/link", tree.folder.at("keep"));
  CHECK(tree.remove("tree", Recursive::yes));
  CHECK(tree.folder.names() == std::vector<std::string>{"keep"});
  CHECK(tree.folder.has("keep/file"));
}

TEST_CASE("a tree deeper than any path and than all descriptors is removed") {
  const Tree tree;
  tree.dig("deep", 3'000);
  CHECK(tree.remove("deep", Recursive::yes));
  CHECK(tree.folder.names().empty());
}

TEST_CASE("a shutdown stops the removing of a tree") {
  const Tree tree;
  tree.folder.write("tree/file", "x");
  const StopFlag stop = true;
  CHECK(tree.remove("tree", Recursive::yes, stop).error().code == ErrorCode::overloaded);
  CHECK(tree.folder.has("tree"));
}

}  // namespace sa
