// Somebody swaps a directory and a link to outside as fast as he can while requests go through that name.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdio.h>

#include <atomic>
#include <thread>

#include "fs_scene.h"
#include "support/tar_writer.h"

using namespace rig;

namespace {

// Exchanges two names without pause until it is destroyed.
class Swapper {
 public:
  Swapper(std::filesystem::path one, std::filesystem::path other)
      : thread_([this, one = std::move(one), other = std::move(other)] {
          while (!stopping_) {
            renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
            ++swaps_;
          }
        }) {}
  ~Swapper() { stopping_ = true; }
  Swapper(const Swapper&) = delete;
  Swapper& operator=(const Swapper&) = delete;
  bool under_way() const { return swaps_ > 100; }

 private:
  std::atomic<bool> stopping_ = false;
  std::atomic<long> swaps_ = 0;
  std::jthread thread_;
};

}  // namespace

TEST_SUITE_BEGIN("fs_attacks");

TEST_CASE("a directory swapped with a link to outside never leads out of a confining root") {
  ConfinedScene s;
  s.write("door/file", "inside");
  s.write("movable", "x");
  SUBCASE("by a relative link") { s.link("trap", "../outside"); }
  SUBCASE("by an absolute link") { s.link("trap", s.canary.folder()); }
  const auto archive = tar_of("unpacked", "x");
  int answered = 0;
  {
    Swapper swapper(s.root / "door", s.root / "trap");
    REQUIRE(eventually([&] { return swapper.under_way(); }));
    for (int i = 0; i < 60; ++i) {
      const auto n = std::to_string(i);
      const Response answers[] = {s.files.upload("door/new" + n, "x"),
                                  s.files.upload("door/canary", "x"),
                                  s.files.download("door/canary"),
                                  s.files.list("door"),
                                  s.files.stat("door/canary"),
                                  s.files.make_directory("door/dir" + n),
                                  s.files.move_over("door/file", "movable"),
                                  s.files.move_over("movable", "door/file"),
                                  s.files.move_over("movable", "door/canary"),
                                  s.files.unpack("door", archive),
                                  s.files.unpack("door/nest", archive),
                                  s.files.remove("door/canary"),
                                  s.files.remove_tree("door/nest")};
      for (const auto& answer : answers) {
        CHECK_FALSE(answer.body.contains(Canary::secret));
        CHECK_FALSE(answer.body.contains("\"egg\""));
        CHECK_LT(answer.status, 500);
        answered += answer.status == 200 ? 1 : 0;
      }
    }
  }
  CHECK_GT(answered, 50);
  CHECK(s.canary.untouched());
}

TEST_CASE("a file swapped with a link to outside is neither read nor written through in a confining root") {
  ConfinedScene s;
  s.write("file", "inside");
  s.link("trap", "../outside/canary");
  {
    Swapper swapper(s.root / "file", s.root / "trap");
    REQUIRE(eventually([&] { return swapper.under_way(); }));
    for (int i = 0; i < 150; ++i) {
      CHECK_FALSE(s.files.download("file").body.contains(Canary::secret));
      CHECK_LT(s.files.upload("file", "inside").status, 500);
      CHECK_FALSE(s.files.download("trap").body.contains(Canary::secret));
    }
  }
  CHECK(s.canary.untouched());
}

TEST_CASE("a directory of an archive swapped with a link is not written through") {
  HomeScene s;
  const Canary canary(s.work / "outside");
  s.write("t/d/file", "x");
  std::filesystem::create_symlink("../outside", s.work / "t/trap");
  TarWriter tar;
  for (int i = 0; i < 100; ++i) {
    tar.file("d/f" + std::to_string(i), "x").directory("d/", 0755).directory("d/nest/", 0700).file("d/nest/egg", "x");
    tar.hard_link("d/h" + std::to_string(i), "d/canary").file("d/canary", "x");
  }
  TarWriter plain;
  for (int i = 0; i < 100; ++i) plain.file("d/f" + std::to_string(i), "x").file("d/canary", "x").file("d/nest/egg", "x");
  const auto with_links = tar.finished();
  const auto without = plain.finished();
  {
    Swapper swapper(s.work / "t/d", s.work / "t/trap");
    REQUIRE(eventually([&] { return swapper.under_way(); }));
    for (int i = 0; i < 20; ++i) {
      CHECK_LT(s.files.unpack("w/t", with_links).status, 500);
      CHECK_LT(s.files.unpack("w/t", without).status, 500);
    }
  }
  CHECK(canary.untouched());
}

TEST_CASE("a directory swapped with a link during a recursive removal does not lead elsewhere") {
  HomeScene s;
  const Canary canary(s.work / "outside");
  for (int round = 0; round < 20; ++round) {
    const auto tree = "tree" + std::to_string(round);
    for (int i = 0; i < 10; ++i) s.write(tree + "/d/sub" + std::to_string(i) + "/file", "x");
    std::filesystem::create_symlink("../outside", s.work / tree / "trap");
    Swapper swapper(s.work / tree / "d", s.work / tree / "trap");
    REQUIRE(eventually([&] { return swapper.under_way(); }));
    CHECK_LT(s.files.remove_tree("w/" + tree).status, 500);
  }
  CHECK(canary.untouched());
}

TEST_CASE("a directory that becomes a link to outside during an upload does not lead out of a confining root") {
  ConfinedScene s;
  std::filesystem::create_directory(s.root / "door");
  std::vector<Connection> uploads;
  for (const char* path : {"door/file", "door/canary", "door/nest/egg", "made/file", "made/nest/egg"}) {
    uploads.push_back(s.files.begin_upload(path, 1'000'000, patterned(500'000)));
  }
  auto archive = s.files.begin_unpack("door/t", 100'000, tar_of("canary", "x").substr(0, 600));
  REQUIRE(eventually([&] { return present(s.root / "door/t") && !open_below(s.daemon.pid(), s.root).empty(); }));
  std::filesystem::rename(s.root / "door", s.root / "gone");
  s.link("door", "../outside");
  s.link("made", "../outside");
  for (auto& upload : uploads) {
    upload.send(patterned(500'000));
    CHECK_LT(upload.read_response().status, 500);
  }
  archive.send(tar_of("canary", "x").substr(600) + std::string(98'000, '\0'));
  archive.finish_sending();
  CHECK(archive.closed_within(milliseconds(5000)));
  CHECK(s.canary.untouched());
}

TEST_SUITE_END();
