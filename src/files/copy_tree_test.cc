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
  return copy_tree(source.get(), from, target.get(), to, go_on);
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

}  // namespace sa
