#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

// A chain of directories, deeper than a path can say.
void dig(const std::filesystem::path& folder, int levels) {
  int at = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < levels; ++i) {
    REQUIRE_EQ(mkdirat(at, "level", 0755), 0);
    const int next = openat(at, "level", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE_GE(next, 0);
    close(at);
    at = next;
  }
  REQUIRE_EQ(mknodat(at, "bottom", S_IFREG | 0644, 0), 0);
  close(at);
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("a file and an empty directory are removed") {
  HomeScene s;
  s.write("file", "x");
  std::filesystem::create_directory(s.work / "folder");
  for (const std::string name : {"file", "folder"}) {
    const auto answer = s.files.remove(std::string("w/") + name);
    CHECK_EQ(answer.status, 200);
    CHECK_EQ(text_at(answer.body, "path"), s.at(name));
  }
  CHECK(names_below(s.work).empty());
}

TEST_CASE("a directory that is not empty is 409 unless the removal is recursive") {
  HomeScene s;
  s.write("folder/a/file", "x");
  s.write("folder/b/c/file", "y");
  s.write("beside", "z");
  const auto before = tree_shot(s.work);
  CHECK_EQ(problem_of(s.files.remove("w/folder")), "409 conflict");
  CHECK_EQ(problem_of(s.files.request("DELETE", Files::target("entry", "w/folder") + "&recursive=false")), "409 conflict");
  CHECK_EQ(tree_shot(s.work), before);
  const auto answer = s.files.remove_tree("w/folder");
  CHECK_EQ(answer.status, 200);
  CHECK_EQ(text_at(answer.body, "path"), s.at("folder"));
  CHECK_EQ(names_below(s.work), Names{"beside"});
}

TEST_CASE("a recursive removal takes a file and an empty directory too") {
  HomeScene s;
  s.write("file", "x");
  std::filesystem::create_directory(s.work / "folder");
  CHECK_EQ(s.files.remove_tree("w/file").status, 200);
  CHECK_EQ(s.files.remove_tree("w/folder").status, 200);
  CHECK(names_below(s.work).empty());
}

TEST_CASE("a link is removed, what it stands for stays") {
  HomeScene s;
  s.write("folder/file", "x");
  for (const auto& target : {"folder", "folder/file", "nowhere", "link"}) {
    for (const bool recursive : {false, true}) {
      INFO(target, " ", recursive);
      std::filesystem::create_symlink(target, s.work / "link");
      CHECK_EQ((recursive ? s.files.remove_tree("w/link") : s.files.remove("w/link")).status, 200);
      CHECK_EQ(names_below(s.work), Names{"folder"});
      CHECK_EQ(s.read("folder/file"), "x");
    }
  }
}

TEST_CASE("links inside a tree are removed with it, what they stand for stays") {
  HomeScene s;
  const Canary canary(s.work / "outside");
  s.write("tree/file", "x");
  std::filesystem::create_symlink("../outside", s.work / "tree/relative");
  std::filesystem::create_symlink(canary.folder(), s.work / "tree/absolute");
  std::filesystem::create_symlink("..", s.work / "tree/parent");
  CHECK_EQ(s.files.remove_tree("w/tree").status, 200);
  CHECK_EQ(names_below(s.work), Names{"outside"});
  CHECK(canary.untouched());
}

TEST_CASE("what is not there cannot be removed") {
  HomeScene s;
  s.write("file", "x");
  CHECK_EQ(problem_of(s.files.remove("w/none")), "404 not_found");
  CHECK_EQ(problem_of(s.files.remove_tree("w/none")), "404 not_found");
  CHECK_EQ(problem_of(s.files.remove("w/none/below")), "404 not_found");
  CHECK_EQ(problem_of(s.files.remove("w/file/below")), "409 conflict");
}

TEST_CASE("the root is not removed") {
  HomeScene s;
  s.write("file", "x");
  for (const std::string& path :
       {std::string("."), std::string("./"), s.daemon.home().native(), std::string("/"), std::string("w/.")}) {
    INFO(path);
    const auto plain = s.files.remove(path).status;
    CHECK((plain >= 400 && plain < 500));
  }
  for (const std::string path : {".", "./.", "w/..", ".//"}) {
    INFO(path);
    const auto recursive = s.files.remove_tree(path).status;
    CHECK((recursive >= 400 && recursive < 500));
  }
  CHECK_EQ(s.read("file"), "x");
}

TEST_CASE("a recursive flag that is neither true nor false is 400 and removes nothing") {
  HomeScene s;
  s.write("folder/file", "x");
  for (const std::string value : {"maybe", "1", "True", "yes", ""}) {
    const auto answer = s.files.request("DELETE", Files::target("entry", "w/folder") + "&recursive=" + value);
    CHECK_EQ(problem_of(answer), "400 invalid_request");
    CHECK_EQ(field_of(answer), "recursive");
  }
  CHECK_EQ(s.read("folder/file"), "x");
}

TEST_CASE("a tree deeper than a path can say is removed") {
  HomeScene s;
  const MemoryFolder memory;
  std::filesystem::create_directory(memory.at("deep"));
  dig(memory.at("deep"), 2000);
  CHECK_EQ(s.files.remove_tree(memory.at("deep")).status, 200);
  CHECK(names_below(memory.path()).empty());
}

TEST_CASE("a wide tree is removed") {
  HomeScene s;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 20; ++j) s.write("wide/" + std::to_string(i) + "/" + std::to_string(j), "x");
  }
  CHECK_EQ(s.files.remove_tree("w/wide").status, 200);
  CHECK(names_below(s.work).empty());
}

TEST_CASE("directories without write permission inside a tree are no obstacle or a clear refusal") {
  HomeScene s;
  s.write("tree/closed/file", "x");
  REQUIRE_EQ(chmod(s.at("tree/closed").c_str(), 0555), 0);
  const auto answer = s.files.remove_tree("w/tree");
  if (geteuid() == 0) {
    CHECK_EQ(answer.status, 200);
  } else {
    CHECK_EQ(problem_of(answer), "403 forbidden");
    CHECK_EQ(s.read("tree/closed/file"), "x");
    chmod(s.at("tree/closed").c_str(), 0755);
  }
}

TEST_CASE("two removals of the same tree at once end, and nothing is left") {
  HomeScene s;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 300; ++i) s.write("tree/" + std::to_string(i % 10) + "/" + std::to_string(i), "x");
    const auto target = Files::target("entry", "w/tree") + "&recursive=true";
    auto one = s.files.begin("DELETE", target);
    auto other = s.files.begin("DELETE", target);
    const auto statuses = {one.read_response().status, other.read_response().status};
    for (const int status : statuses) CHECK((status == 200 || status == 404 || status == 409));
    CHECK(names_below(s.work).empty());
  }
}

TEST_SUITE_END();
