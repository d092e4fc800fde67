#include "files/copy_tree.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "base/scratch_folder.h"
#include "base/test_descriptors.h"
#include "base/unique_fd.h"

namespace sa {
namespace {

const StopFlag go_on = false;

int copy_between(const std::string& from_folder, const std::string& from, const std::string& to_folder, const std::string& to) {
  const UniqueFd source(::open(from_folder.c_str(), O_PATH));
  const UniqueFd target(::open(to_folder.c_str(), O_PATH));
  const auto copied = copy_tree(source.get(), from, target.get(), to, go_on);
  return copied ? 0 : copied.error();
}

TreeState state_of(const ScratchFolder& folder, const std::string& name) {
  const UniqueFd directory(::open(folder.path().c_str(), O_PATH));
  return tree_state(directory.get(), name, go_on).value();
}

std::string chain(int levels) {
  std::string path = "tree";
  for (int i = 0; i < levels; ++i) path += "/d";
  return path;
}

}  // namespace

TEST_CASE("a tree deeper than all descriptors is copied, its directories with their modes and times") {
  const ScratchFolder folder;
  const std::string bottom = chain(600);
  folder.write(bottom + "/file", "x");
  folder.write(chain(3) + "/e/file", "beside");
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1'000);
  for (const int depth : {0, 3, 600}) {
    ::chmod(folder.at(chain(depth)).c_str(), 0710);
    std::filesystem::last_write_time(folder.at(chain(depth)), old);
  }
  folder.directory("copies");
  int error = 0;
  {
    const FewDescriptors few(200);
    error = copy_between(folder.path(), "tree", folder.at("copies"), "tree");
  }
  CHECK(error == 0);
  CHECK(folder.read("copies/" + bottom + "/file") == "x");
  CHECK(folder.read("copies/" + chain(3) + "/e/file") == "beside");
  for (const int depth : {0, 3, 600}) {
    CHECK(folder.mode("copies/" + chain(depth)) == 0710);
    CHECK(std::filesystem::last_write_time(folder.at("copies/" + chain(depth))) == old);
  }
}

TEST_CASE("a copy that lies in what is copied does not go on for ever") {
  const ScratchFolder folder;
  folder.write("tree/sub/file", "x");
  const FewDescriptors few(200);
  CHECK(copy_between(folder.path(), "tree", folder.at("tree"), "copy") == EINVAL);
  CHECK(copy_between(folder.path(), "tree", folder.at("tree/sub"), "copy") == EINVAL);
  CHECK(folder.read("tree/sub/file") == "x");
}

TEST_CASE("the state of a tree is that before it was copied, under whatever name, until something in it changes") {
  const ScratchFolder folder;
  folder.write("tree/log", "line\n");
  folder.write("tree/sub/deep/file", "x");
  folder.link("tree/link", "sub");
  const TreeState before = state_of(folder, "tree");
  const UniqueFd directory(::open(folder.path().c_str(), O_PATH));
  CHECK(copy_tree(directory.get(), "tree", directory.get(), "copy", go_on) == before);
  std::filesystem::rename(folder.at("tree"), folder.at("aside"));
  CHECK(state_of(folder, "aside") == before);
  auto changed = [&, last = before](const char* what) mutable {
    CAPTURE(what);
    CHECK(state_of(folder, "aside") != std::exchange(last, state_of(folder, "aside")));
  };
  std::ofstream(folder.at("aside/log"), std::ios::app) << "more";
  changed("content");
  ::chmod(folder.at("aside/sub/deep/file").c_str(), 0700);
  changed("a mode");
  std::filesystem::last_write_time(folder.at("aside/sub/deep/file"), std::filesystem::file_time_type());
  changed("a time");
  folder.write("aside/sub/deep/new", "");
  changed("a new file");
  std::filesystem::rename(folder.at("aside/sub/deep/new"), folder.at("aside/sub/deep/other"));
  changed("a name");
  std::filesystem::rename(folder.at("aside/sub/deep/other"), folder.at("aside/sub/other"));
  changed("a place");
  std::filesystem::remove(folder.at("aside/link"));
  changed("a link that is gone");
}

TEST_CASE("the state of a tree deeper than all descriptors is told, and a stop ends the looking") {
  const ScratchFolder folder;
  folder.write(chain(600) + "/file", "x");
  const StopFlag stop = true;
  const UniqueFd directory(::open(folder.path().c_str(), O_PATH));
  const FewDescriptors few(200);
  CHECK(tree_state(directory.get(), "tree", go_on).has_value());
  CHECK(tree_state(directory.get(), "tree", stop) == std::unexpected(ECANCELED));
}

}  // namespace sa
