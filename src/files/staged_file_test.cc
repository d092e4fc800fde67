#include "files/staged_file.h"

#include <doctest/doctest.h>

#include <barrier>
#include <thread>
#include <tuple>

#include "base/scratch_folder.h"
#include "files/file_info.h"

namespace sa {
namespace {

using Names = std::vector<std::string>;
using Naming = StagedFile::Naming;

struct Desk {
  ScratchFolder folder;
  FileRoot root = std::move(*FileRoot::open(folder.path(), Confined::no));

  Result<StagedFile> begin(std::string_view path, Naming naming) const { return StagedFile::begin(*root.guard(path), naming); }
};

constexpr Naming both[] = {Naming::nameless, Naming::hidden};

}  // namespace

TEST_CASE("a file appears whole, with the usual mode, and its version is what readers see") {
  for (const Naming naming : both) {
    const Desk desk;
    auto staged = desk.begin("new", naming);
    REQUIRE(staged);
    CHECK(staged->write("one "));
    CHECK(staged->write("two"));
    CHECK(!desk.folder.has("new"));
    const auto written = staged->commit();
    REQUIRE(written);
    CHECK(desk.folder.read("new") == "one two");
    CHECK(desk.folder.names() == Names{"new"});
    struct stat seen{};
    ::stat(desk.folder.at("new").c_str(), &seen);
    CHECK(etag_of(seen) == etag_of(*written));
    CHECK(written->st_size == 7);
  }
}

TEST_CASE("a file that is given up leaves nothing, also of the directories it lacked") {
  for (const Naming naming : both) {
    const Desk desk;
    desk.folder.write("old", "old");
    {
      auto replacing = desk.begin("old", naming);
      auto deep = desk.begin("a/b/c", naming);
      REQUIRE(replacing);
      REQUIRE(deep);
      CHECK(replacing->write("x"));
      CHECK(deep->write("x"));
    }
    CHECK(desk.folder.names() == Names{"old"});
    CHECK(desk.folder.read("old") == "old");
  }
}

TEST_CASE("directories are made when the file takes its place") {
  for (const Naming naming : both) {
    const Desk desk;
    auto staged = desk.begin("a/b/c", naming);
    REQUIRE(staged);
    CHECK(staged->commit());
    CHECK(desk.folder.names() == Names{"a"});
    CHECK(desk.folder.names("a/b") == Names{"c"});
  }
}

TEST_CASE("an existing file keeps its mode, and a link to it stays a link") {
  for (const Naming naming : both) {
    const Desk desk;
    desk.folder.write("script", "old", 0751);
    desk.folder.link("link", "script");
    auto staged = desk.begin("link", naming);
    REQUIRE(staged);
    CHECK(staged->write("new"));
    CHECK(staged->commit());
    CHECK(desk.folder.read("script") == "new");
    CHECK(desk.folder.mode("script") == 0751);
    CHECK(std::filesystem::is_symlink(desk.folder.at("link")));
    CHECK(desk.folder.names() == Names{"link", "script"});
  }
}

TEST_CASE("a directory or a FIFO is not replaced, also when it comes meanwhile") {
  for (const Naming naming : both) {
    const Desk desk;
    desk.folder.directory("dir");
    ::mkfifo(desk.folder.at("fifo").c_str(), 0600);
    CHECK(desk.begin("dir", naming).error().code == ErrorCode::conflict);
    CHECK(desk.begin("fifo", naming).error().code == ErrorCode::conflict);
    {
      auto staged = desk.begin("later", naming);
      REQUIRE(staged);
      desk.folder.directory("later");
      CHECK(staged->commit().error().code == ErrorCode::conflict);
    }
    CHECK(desk.folder.names() == Names{"dir", "fifo", "later"});
  }
}

TEST_CASE("a link put in the target's place meanwhile is replaced, not followed") {
  for (const Naming naming : both) {
    const Desk desk;
    desk.folder.write("victim", "untouched");
    auto staged = desk.begin("target", naming);
    REQUIRE(staged);
    CHECK(staged->write("new"));
    desk.folder.link("target", "victim");
    CHECK(staged->commit());
    CHECK(desk.folder.read("victim") == "untouched");
    CHECK(!std::filesystem::is_symlink(desk.folder.at("target")));
    CHECK(desk.folder.read("target") == "new");
  }
}

TEST_CASE("the condition is asked at the end, with what is there then") {
  for (const Naming naming : both) {
    const Desk desk;
    const StagedFile::Condition only_new = [](const struct stat* present) -> Result<void> {
      if (present) return fail(ErrorCode::precondition_failed, "It is there.");
      return {};
    };
    auto first = desk.begin("a/file", naming);
    auto second = desk.begin("a/file", naming);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->check(only_new));
    CHECK(second->check(only_new));
    CHECK(second->commit(only_new));
    CHECK(first->commit(only_new).error().code == ErrorCode::precondition_failed);
  }
}

TEST_CASE("what was written for a version is never put over a newer one, also when that came without a condition") {
  for (const Naming naming : both) {
    const Desk desk;
    int lost = 0;
    for (int round = 0; round < 300; ++round) {
      desk.folder.write("file", "old");
      struct stat old{};
      ::stat(desk.folder.at("file").c_str(), &old);
      auto changing = desk.begin("file", naming);
      auto plain = desk.begin("file", naming);
      REQUIRE(changing);
      REQUIRE(plain);
      CHECK(changing->write("old, changed"));
      CHECK(plain->write("plain"));
      std::barrier together(2);
      std::thread other([&] {
        together.arrive_and_wait();
        std::ignore = plain->commit();
      });
      together.arrive_and_wait();
      const bool changed = changing
                               ->commit([&](const struct stat* present) -> Result<void> {
                                 if (present && etag_of(*present) == etag_of(old)) return {};
                                 return fail(ErrorCode::precondition_failed, "It is another one.");
                               })
                               .has_value();
      other.join();
      if (changed && desk.folder.read("file") != "plain") ++lost;
    }
    CHECK(lost == 0);
  }
}

TEST_CASE("a directory that was removed meanwhile is said so") {
  for (const Naming naming : both) {
    const Desk desk;
    desk.folder.directory("dir");
    auto staged = desk.begin("dir/file", naming);
    REQUIRE(staged);
    std::filesystem::remove_all(desk.folder.at("dir"));
    CHECK(staged->commit().error().code == ErrorCode::conflict);
    CHECK(desk.folder.names().empty());
  }
}

}  // namespace sa
