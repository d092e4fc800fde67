// A disk that is full or read-only: a small one mounted where only the daemon sees it.
#include <doctest/doctest.h>
#include <unistd.h>

#include "fs_scene.h"
#include "server_run.h"
#include "support/cli_home.h"
#include "support/tar_writer.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

std::string unshared() { return geteuid() == 0 ? "unshare --mount" : "unshare --user --map-root-user --mount"; }

bool can_unshare() {
  static const bool can = [] {
    Launch launch;
    launch.argv = {"/bin/sh", "-c", unshared() + " sh -c 'mount -t tmpfs none /mnt'"};
    launch.env = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
    launch.cwd = "/";
    const auto ending = Process(launch).wait(milliseconds(5000));
    return ending && ending->code == 0;
  }();
  if (!can) MESSAGE("skipped: nothing can be mounted here");
  return can;
}

// A daemon with a file system of its own at ~/small, of one MiB and with an old file in it.
struct SmallDiskScene {
  TempDir home;
  ServerRun server;
  Files files;
  std::filesystem::path small;  // as seen from here

  explicit SmallDiskScene(const std::string& more = "true")
      : server(home.path(), script(more), {}),
        files(server.port, text_at(server.out(), "token")),
        small("/proc/" + std::to_string(server.process.pid()) + "/root" + (home.path() / "small").native()) {}

  // Leaves no more than a page or two.
  void fill() const {
    for (std::size_t size = 512 * 1024; size >= 4096;) {
      if (files.upload("small/ballast-" + std::to_string(size) + "-" + std::to_string(rounds_++), std::string(size, 'b'))
              .status != 200) {
        size /= 2;
      }
    }
  }
  TreeShot shot() const { return tree_shot(small); }

 private:
  static std::string script(const std::string& more) {
    return "mkdir \"$HOME/small\" && exec " + unshared() +
           " sh -c 'mount -t tmpfs -o size=1m,nr_inodes=40 none \"$HOME/small\" && echo old > \"$HOME/small/old\" && " + more +
           " && exec \"$@\"' sh \"$@\"";
  }
  mutable int rounds_ = 0;
};

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("an upload to a full disk is 507, leaves nothing and keeps the old file") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  const auto before = s.shot();
  CHECK_EQ(problem_of(s.files.upload("small/new", std::string(2'000'000, 'x'))), "507 no_space");
  CHECK_EQ(problem_of(s.files.upload("small/old", std::string(2'000'000, 'x'))), "507 no_space");
  CHECK(s.shot() == before);
  CHECK(eventually([&] { return open_below(s.server.process.pid(), s.home.path() / "small").empty(); }));
  CHECK_EQ(s.files.upload("small/old", std::string(900'000, 'y')).status, 200);
  CHECK_EQ(s.files.download("small/old").body.size(), 900'000);
}

TEST_CASE("a client that sends on after the disk is full still gets the answer") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  auto connection = s.files.begin("PUT", Files::target("file", "small/new"), {{"Transfer-Encoding", "chunked"}});
  for (int i = 0; i < 20; ++i) connection.send("20000\r\n" + std::string(0x20000, 'x') + "\r\n");
  connection.send("0\r\n\r\n");
  CHECK_EQ(problem_of(connection.read_response()), "507 no_space");
  CHECK_EQ(names_below(s.small), Names{"old"});
}

TEST_CASE("an archive that fills the disk is 507, whole entries stay") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  const auto archive =
      TarWriter().file("before", "stays").file("large", std::string(2'000'000, 'x')).file("after", "x").finished();
  CHECK_EQ(problem_of(s.files.unpack("small/t", archive)), "507 no_space");
  CHECK_EQ(names_below(s.small / "t"), Names{"before"});
  CHECK_EQ(read_file(s.small / "t/before"), "stays");
}

TEST_CASE("directories on a disk without room are 507") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  Response last;
  for (int i = 0; i < 100 && last.status != 507; ++i) last = s.files.make_directory("small/d" + std::to_string(i));
  CHECK_EQ(problem_of(last), "507 no_space");
  CHECK_EQ(problem_of(s.files.upload("small/new", "")), "507 no_space");
  CHECK_EQ(problem_of(s.files.unpack("small", tar_of("t/file", "x"))), "507 no_space");
  CHECK_FALSE(present(s.small / "new"));
  CHECK_EQ(read_file(s.small / "old"), "old\n");
}

TEST_CASE("a move to a full disk is 507, leaves nothing there and the source untouched") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  write_file(s.home.path() / "tree/a/small", "x");
  write_file(s.home.path() / "tree/b/large", std::string(2'000'000, 'x'));
  write_file(s.home.path() / "large", std::string(2'000'000, 'x'));
  const auto source = tree_shot(s.home.path() / "tree", Times::included);
  const auto target = s.shot();
  CHECK_EQ(problem_of(s.files.move("tree", "small/tree")), "507 no_space");
  CHECK_EQ(problem_of(s.files.move_over("large", "small/old")), "507 no_space");
  CHECK(tree_shot(s.home.path() / "tree", Times::included) == source);
  CHECK_EQ(std::filesystem::file_size(s.home.path() / "large"), 2'000'000);
  CHECK(s.shot() == target);
}

TEST_CASE("a move between disks works both ways") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  write_file(s.home.path() / "tree/a/file", "x");
  CHECK_EQ(s.files.move("tree", "small/tree").status, 200);
  CHECK_FALSE(present(s.home.path() / "tree"));
  CHECK_EQ(s.files.move("small/tree", "back").status, 200);
  CHECK_EQ(read_file(s.home.path() / "back/a/file"), "x");
  CHECK_EQ(names_below(s.small), Names{"old"});
}

TEST_CASE("a directory is not moved onto a disk inside it, nor replaced by what lies there, whatever the way to it") {
  if (!can_unshare()) return;
  SmallDiskScene s(
      "cd \"$HOME\" && mkdir -p a/m a/sub bound && head -c 2000000 /dev/zero > a/file && ln -s a/m alias && "
      "mount -t tmpfs -o size=1m none a/m && mkdir a/m/inner && mount --bind a/sub bound");
  const auto whole = s.small.parent_path() / "a";
  const auto before = tree_shot(whole);
  for (const std::string to : {"alias/x", "alias/inner/x", "bound/x"}) {
    INFO(to);
    CHECK_EQ(problem_of(s.files.move("a", to)), "409 conflict");
    CHECK(tree_shot(whole) == before);
  }
  CHECK_EQ(problem_of(s.files.move_over("alias/inner", "a")), "409 conflict");
  CHECK(tree_shot(whole) == before);
}

TEST_CASE("a full disk can be cleared") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  s.fill();
  CHECK_EQ(problem_of(s.files.upload("small/one more", std::string(100'000, 'x'))), "507 no_space");
  CHECK_EQ(s.files.remove("small/old").status, 200);
  for (const auto& name : names_below(s.small)) CHECK_EQ(s.files.remove("small/" + name).status, 200);
  CHECK_EQ(s.files.upload("small/new", std::string(500'000, 'x')).status, 200);
}

TEST_CASE("on a read-only disk every change is 403 and reading works") {
  if (!can_unshare()) return;
  SmallDiskScene s("mount -o remount,bind,ro \"$HOME/small\"");
  write_file(s.home.path() / "file", "x");
  CHECK_EQ(s.files.download("small/old").body, "old\n");
  CHECK_EQ(names_in(s.files.list("small")), Names{"old"});
  CHECK_EQ(problem_of(s.files.upload("small/old", "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.upload("small/new", "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.upload("small/a/b/new", "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.make_directory("small/new")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.remove("small/old")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.unpack("small", tar_of("new", "x"))), "403 forbidden");
  CHECK_EQ(problem_of(s.files.move("small/old", "old")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.move("file", "small/file")), "403 forbidden");
  CHECK_FALSE(present(s.home.path() / "old"));
  CHECK(present(s.home.path() / "file"));
}

TEST_CASE("a mounted directory cannot be removed or moved away") {
  if (!can_unshare()) return;
  SmallDiskScene s;
  CHECK_EQ(s.files.move("small", "elsewhere").status / 100 == 5, false);
  CHECK_EQ(read_file(s.small / "old"), "old\n");
}

// An image's file system as containers have it: what comes from the image cannot change places in one step.
TEST_CASE("a directory of an image's layer is replaced, and moved, like any other") {
  if (!can_unshare()) return;
  SmallDiskScene s(
      "cd \"$HOME/small\" && mkdir -p lower/old/deep upper work over && echo old > lower/old/deep/file && "
      "mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none over && cd \"$HOME\"");
  REQUIRE_EQ(s.files.upload("small/over/new/file", "new").status, 200);
  CHECK_EQ(s.files.move_over("small/over/new", "small/over/old").status, 200);
  CHECK_EQ(names_in(s.files.list("small/over")), Names{"old"});
  CHECK_EQ(s.files.download("small/over/old/file").body, "new");
  CHECK_EQ(s.files.move("small/over/old", "small/over/moved").status, 200);
  CHECK_EQ(names_in(s.files.list("small/over")), Names{"moved"});
}

TEST_CASE("a background daemon that cannot even write its log says that the disk is full") {
  if (!can_unshare()) return;
  const TempDir home;
  const auto data = (home.path() / "data").string();
  Launch launch;
  launch.argv = {"/bin/sh", "-c",
                 unshared() +
                     " sh -c 'mkdir \"$XDG_DATA_HOME\" && mount -t tmpfs -o size=16k none \"$XDG_DATA_HOME\" || exit 99; "
                     "head -c 100000 /dev/zero > \"$XDG_DATA_HOME/ballast\"; exec \"$0\" daemon start 2> said' \"$0\"",
                 binary_under_test().string()};
  launch.env = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + home.path().string(), "XDG_DATA_HOME=" + data};
  launch.cwd = home.path();
  const auto ending = Process(launch).wait(milliseconds(10000));
  REQUIRE(ending);
  CHECK_EQ(ending->code, 1);
  const std::string said = read_file(home.path() / "said");
  INFO(said);
  CHECK(contains(said, data + "/sandbox-agent/daemon/daemon.log cannot be written: No space left on device"));
}

TEST_SUITE_END();
