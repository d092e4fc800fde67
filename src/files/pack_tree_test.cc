#include "files/pack_tree.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "files/tar_test_archive.h"
#include "files/tree_digest.h"

namespace sa {
namespace {

const StopFlag never{false};

UniqueFd open_directory_at(const std::string& path) {
  return UniqueFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

std::string digest(const std::string& path) {
  auto found = tree_digest(open_directory_at(path).get(), path, never);
  REQUIRE(found);
  return *found;
}

// A tree to pack, and the archive beside it.
class Source {
 public:
  const ScratchFolder tree;

  std::string packed(std::string_view name = "tree") const {
    const UniqueFd file(::open(beside_.at("packed").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    TreePacker packer(file.get(), "packed");
    REQUIRE(packer.add_file("first.json", "{}"));
    REQUIRE(packer.add_tree(name, open_directory_at(tree.path()).get(), tree.path(), never));
    REQUIRE(packer.finish());
    return beside_.read("packed");
  }

 private:
  ScratchFolder beside_;
};

TEST_CASE("a tree that was packed and unpacked has the same digest") {
  const Source source;
  source.tree.write("bin/tool", std::string(700'000, 't'), 0700);
  source.tree.write("readme", "words", 0600);
  source.tree.write("empty", "");
  source.tree.directory("hollow");
  source.tree.link("bin/link", "../readme");
  source.tree.link("dangling", "/nowhere");
  source.tree.link("far", std::string(101, 'f') + "/caf\xC3\xA9");
  source.tree.write("caf\xC3\xA9", "utf-8");
  source.tree.write("caf\xE9", "latin-1");
  source.tree.write("e\xCC\x81", "decomposed");
  for (const std::string& name : {std::string(93, 'n'), std::string(94, 'n'), std::string(95, 'n'), std::string(96, 'n'),
                                  std::string(200, 'n') + "/" + std::string(200, 'm') + "/x",
                                  std::string(98, 'n') + "\xE9/" + std::string(98, 'n') + "\xE9"})
    source.tree.write(name, name);
  std::filesystem::create_hard_link(source.tree.at("readme"), source.tree.at("same"));

  const tar_test::Scratch scratch;
  const auto unpacked = scratch.unpack(source.packed());
  REQUIRE(unpacked);
  CHECK(digest(scratch / "tree") == digest(source.tree.path()));
  CHECK(scratch.read("first.json") == "{}");
  CHECK(scratch.mode("tree/bin/tool") == 0755);
  CHECK(scratch.mode("tree/readme") == 0644);
  CHECK(scratch.look("tree/same").st_nlink == 1);
  CHECK(scratch.look("tree/readme").st_mtim.tv_sec == 0);
}

TEST_CASE("the same content gives the same bytes, whatever its times, modes and the order it was made in") {
  const Source first, second;
  for (const char* name : {"a", "b/c", "b/d"}) first.tree.write(name, name);
  for (const char* name : {"b/d", "b/c", "a"}) second.tree.write(name, name, 0600);
  CHECK(first.packed() == second.packed());
  CHECK(first.packed() != second.packed("other"));
}

TEST_CASE("an archive that was not finished, or was changed, is not taken") {
  const Source source;
  source.tree.write("a", std::string(100'000, 'a'));
  const std::string whole = source.packed();
  for (std::size_t part = 1; part < 8; ++part) {
    const tar_test::Scratch scratch;
    CHECK(!scratch.unpack(whole.substr(0, whole.size() * part / 8)));
  }
  std::string changed = whole;
  changed[changed.size() - 1] = static_cast<char>(~changed.back());  // the checksum
  const tar_test::Scratch scratch;
  CHECK(!scratch.unpack(changed));
}

TEST_CASE("a special file is refused, a full disk is said, and the wish to stop is heard") {
  const ScratchFolder folder;
  REQUIRE(::mkfifo(folder.at("pipe").c_str(), 0600) == 0);
  const UniqueFd directory = open_directory_at(folder.path());
  const UniqueFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  TreePacker packer(nowhere.get(), "packed");
  CHECK(packer.add_tree("t", directory.get(), folder.path(), never).error().code == ErrorCode::conflict);
  CHECK(packer.add_tree("t", directory.get(), folder.path(), StopFlag{true}).error().code == ErrorCode::overloaded);

  const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  TreePacker stuck(full.get(), "packed");
  REQUIRE(stuck.add_file("a", "content"));
  CHECK(stuck.finish().error().code == ErrorCode::no_space);
}

}  // namespace
}  // namespace sa
