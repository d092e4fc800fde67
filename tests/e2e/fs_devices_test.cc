// Moves between two file systems: the home and /dev/shm, where these differ.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

struct DeviceScene : HomeScene {
  MemoryFolder memory;
  const std::string& elsewhere = memory.path();

  bool usable() const {
    const bool two = status_of(elsewhere).st_dev != status_of(work).st_dev;
    if (!two) MESSAGE("skipped: there is no second file system");
    return two;
  }
  std::string there(const std::string& name) const { return memory.at(name); }
};

// A tree with everything a move has to keep.
void plant(const std::filesystem::path& folder) {
  write_file(folder / "script", "#!/bin/sh\n");
  write_file(folder / "sub/large", patterned(3'000'000));
  write_file(folder / "sub/empty", "");
  write_file(folder / "sub/odd \xff\n name", "odd");
  std::filesystem::create_directories(folder / "closed/inner");
  std::filesystem::create_symlink("sub/large", folder / "link");
  std::filesystem::create_symlink("/nowhere/at all", folder / "dangling");
  chmod((folder / "script").c_str(), 0750);
  chmod((folder / "sub/empty").c_str(), 0400);
  chmod((folder / "closed").c_str(), 0710);
  int seconds = 1'500'000'000;
  for (const std::string name : {"script", "sub/large", "sub/empty", "link", "dangling", "closed/inner", "closed", "sub", ""}) {
    set_times(folder / name, {.tv_sec = ++seconds, .tv_nsec = 123'456'789});
  }
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("a tree is moved between devices, there and back, with modes, links and times") {
  DeviceScene s;
  if (!s.usable()) return;
  plant(s.work / "tree");
  const auto before = tree_shot(s.work / "tree", Times::included);
  REQUIRE_EQ(s.files.move("w/tree", s.there("a/b/tree")).status, 200);
  CHECK(names_below(s.work).empty());
  CHECK_EQ(names_below(s.there("a/b")), Names{"tree"});
  CHECK(tree_shot(s.there("a/b/tree"), Times::included) == before);
  REQUIRE_EQ(s.files.move(s.there("a/b/tree"), "w/back").status, 200);
  CHECK(names_below(s.there("a/b")).empty());
  CHECK(tree_shot(s.work / "back", Times::included) == before);
}

TEST_CASE("a file and a link are moved between devices") {
  DeviceScene s;
  if (!s.usable()) return;
  s.write("file", "content");
  std::filesystem::create_symlink("file", s.work / "link");
  REQUIRE_EQ(chmod(s.at("file").c_str(), 0604), 0);
  CHECK_EQ(s.files.move("w/file", s.there("file")).status, 200);
  CHECK_EQ(s.files.move("w/link", s.there("link")).status, 200);
  CHECK_EQ(read_file(s.there("file")), "content");
  CHECK_EQ(mode_of(s.there("file")), 0604);
  CHECK_EQ(link_text(s.there("link")), "file");
  CHECK(names_below(s.work).empty());
}

TEST_CASE("a target on another device is replaced only when asked") {
  DeviceScene s;
  if (!s.usable()) return;
  for (const std::string source : {"file", "folder"}) {
    for (const std::string target : {"file", "folder", "link"}) {
      INFO(source, " over ", target);
      if (source == "file") s.write("source", "new");
      if (source == "folder") s.write("source/inside", "new");
      if (target == "file") write_file(s.there("target"), "old");
      if (target == "folder") write_file(s.there("target/deep/old"), "old");
      if (target == "link") std::filesystem::create_symlink("bystander", s.there("target"));
      write_file(s.there("bystander/file"), "untouched");
      const auto there = tree_shot(s.elsewhere);
      const auto here = tree_shot(s.work / "source");
      CHECK_EQ(problem_of(s.files.move("w/source", s.there("target"))), "409 conflict");
      CHECK_EQ(tree_shot(s.elsewhere), there);
      CHECK_EQ(tree_shot(s.work / "source"), here);
      CHECK_EQ(s.files.move_over("w/source", s.there("target")).status, 200);
      CHECK_EQ(tree_shot(s.there("target")), here);
      CHECK_EQ(names_below(s.elsewhere), Names{"bystander", "target"});
      CHECK_EQ(read_file(s.there("bystander/file")), "untouched");
      CHECK(names_below(s.work).empty());
      std::filesystem::remove_all(s.there("target"));
    }
  }
}

TEST_CASE("a link to another device is moved through as a parent, not as an entry") {
  DeviceScene s;
  if (!s.usable()) return;
  s.write("file", "x");
  std::filesystem::create_directory_symlink(s.elsewhere, s.work / "shm");
  CHECK_EQ(s.files.move("w/file", "w/shm/file").status, 200);
  CHECK_EQ(read_file(s.there("file")), "x");
  CHECK_EQ(s.files.move("w/shm", "w/renamed").status, 200);
  CHECK_EQ(link_text(s.work / "renamed"), s.elsewhere);
}

TEST_SUITE_END();
