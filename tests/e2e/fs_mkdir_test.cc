#include <doctest/doctest.h>
#include <sys/stat.h>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

TEST_SUITE_BEGIN("fs");

TEST_CASE("a directory is made with its parents") {
  HomeScene s;
  const auto answer = s.files.make_directory("w/a/b/c");
  REQUIRE_EQ(answer.status, 200);
  CHECK(answer.header("content-type").starts_with("application/json"));
  CHECK_EQ(text_at(answer.body, "path"), s.at("a/b/c"));
  CHECK(std::filesystem::is_directory(s.work / "a/b/c"));
}

TEST_CASE("a directory that is there is left as it is") {
  HomeScene s;
  s.write("folder/file", "x");
  REQUIRE_EQ(chmod(s.at("folder").c_str(), 0700), 0);
  std::filesystem::create_directory_symlink("folder", s.work / "link");
  const auto before = tree_shot(s.work);
  for (const auto& path : Names{"w/folder", "w/folder/", s.at("folder"), "w", ".", "w/link"}) {
    INFO(path);
    CHECK_EQ(s.files.make_directory(path).status, 200);
  }
  CHECK_EQ(tree_shot(s.work), before);
}

TEST_CASE("a link that leads nowhere is 409 by its name, whatever is to be made there or below") {
  HomeScene s;
  std::filesystem::create_symlink("nowhere", s.work / "link");
  const auto before = tree_shot(s.work);
  const auto says = [&](const Response& answer) {
    CHECK_EQ(problem_of(answer), "409 conflict");
    CHECK(text_at(answer.body, "detail").starts_with("'" + s.at("link") + "' is a link to something that is not there"));
  };
  for (const auto& path : Names{"w/link", "w/link/a", "w/link/a/b"}) {
    INFO(path);
    says(s.files.make_directory(path));
    says(s.files.unpack(path, ""));
  }
  says(s.files.upload("w/link/file", "x"));
  says(s.files.upload("w/link/a/file", "x"));
  CHECK_EQ(tree_shot(s.work), before);
}

TEST_CASE("parents may be links") {
  HomeScene s;
  std::filesystem::create_directory(s.work / "folder");
  std::filesystem::create_directory_symlink("folder", s.work / "link");
  REQUIRE_EQ(s.files.make_directory("w/link/new/newer").status, 200);
  CHECK(std::filesystem::is_directory(s.work / "folder/new/newer"));
}

TEST_CASE("a directory in the place of a file, of a link to one or below it is 409") {
  HomeScene s;
  s.write("file", "x");
  std::filesystem::create_symlink("file", s.work / "link");
  const auto before = tree_shot(s.work);
  for (const std::string path : {"w/file", "w/file/below", "w/link", "w/link/below"}) {
    INFO(path);
    CHECK_EQ(problem_of(s.files.make_directory(path)), "409 conflict");
  }
  CHECK_EQ(tree_shot(s.work), before);
}

TEST_CASE("many clients that make the same directories at once all succeed") {
  HomeScene s;
  std::vector<Connection> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(s.files.begin("POST", Files::target("mkdir", "w/a/b/c/d/e/" + std::to_string(i % 4))));
  }
  for (auto& client : clients) CHECK_EQ(client.read_response().status, 200);
  CHECK_EQ(names_below(s.work / "a/b/c/d/e"), Names{"0", "1", "2", "3"});
}

TEST_CASE("a directory deep down is made in one request") {
  HomeScene s;
  const MemoryFolder memory;
  std::string path = memory.path();
  for (int i = 0; i < 1000; ++i) path += "/d";
  CHECK_EQ(s.files.make_directory(path).status, 200);
  CHECK_EQ(s.files.stat(path).status, 200);
  CHECK_EQ(s.files.remove_tree(memory.at("d")).status, 200);
}

TEST_SUITE_END();
