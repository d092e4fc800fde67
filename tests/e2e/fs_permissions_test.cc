// What the daemon's user may not do. Tests that run as root start it as somebody else.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs_scene.h"
#include "server_run.h"
#include "support/tar_writer.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

constexpr const char* as_nobody = R"sh(
  if [ "$(id -u)" != 0 ]; then exec "$@"; fi
  daemon=$HOME/daemon-under-test
  cp "$1" "$daemon" && shift && chown -R 65534:65534 "$HOME"
  exec setpriv --reuid=65534 --regid=65534 --clear-groups "$daemon" "$@")sh";

struct NobodyScene {
  TempDir home;
  std::filesystem::path work = home.path() / "w";
  ServerRun server;
  Files files;

  NobodyScene() : server(prepared(home.path()), as_nobody, {}), files(server.port, text_at(server.out(), "token")) {}
  ~NobodyScene() {
    for (const std::string name : {"closed", "no-entry", "read-only"}) chmod((work / name).c_str(), 0755);
  }
  NobodyScene(const NobodyScene&) = delete;
  NobodyScene& operator=(const NobodyScene&) = delete;

 private:
  static std::filesystem::path prepared(const std::filesystem::path& home) {
    write_file(home / "w/closed/file", "x");
    write_file(home / "w/no-entry/file", "x");
    write_file(home / "w/read-only/file", "x");
    write_file(home / "w/unreadable", "x");
    write_file(home / "w/free", "x");
    chmod((home / "w/closed").c_str(), 0000);
    chmod((home / "w/no-entry").c_str(), 0600);
    chmod((home / "w/read-only").c_str(), 0555);
    chmod((home / "w/unreadable").c_str(), 0000);
    return home;
  }
};

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("what the daemon may not read is 403") {
  NobodyScene s;
  CHECK_EQ(problem_of(s.files.list("w/closed")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.stat("w/closed/file")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.download("w/unreadable")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.download("w/no-entry/file")), "403 forbidden");
  CHECK_EQ(s.files.stat("w/unreadable").status, 200);
  CHECK_EQ(s.files.stat("w/closed").status, 200);
  CHECK_EQ(names_in(s.files.list("w")), Names{"closed", "free", "no-entry", "read-only", "unreadable"});
}

TEST_CASE("a directory whose entries may be named but not looked at is listed all the same") {
  NobodyScene s;
  REQUIRE_EQ(chmod((s.work / "no-entry").c_str(), 0400), 0);
  const auto listing = s.files.list("w/no-entry");
  CHECK((problem_of(listing) == "403 forbidden" || (listing.status == 200 && names_in(listing) == Names{"file"})));
}

TEST_CASE("where the daemon may not write every change is 403, and nothing changes") {
  NobodyScene s;
  const auto before = names_below(s.work / "read-only");
  CHECK_EQ(problem_of(s.files.upload("w/read-only/new", "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.upload("w/read-only/a/b/new", "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.upload("w/closed/new", "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.make_directory("w/read-only/new")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.remove("w/read-only/file")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.remove_tree("w/read-only")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.remove_tree("w/closed")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.move("w/free", "w/read-only/free")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.move("w/read-only/file", "w/moved")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.unpack("w/read-only", tar_of("new", "x"))), "403 forbidden");
  CHECK_EQ(problem_of(s.files.unpack("w/read-only/new", tar_of("new", "x"))), "403 forbidden");
  CHECK_EQ(names_below(s.work / "read-only"), before);
  CHECK_EQ(read_file(s.work / "read-only/file"), "x");
  CHECK_EQ(names_below(s.work), Names{"closed", "free", "no-entry", "read-only", "unreadable"});
  CHECK(present(s.work / "free"));
}

TEST_CASE("a problem about permission names the path asked for and nothing of the system") {
  NobodyScene s;
  const auto detail = text_at(s.files.download("w/unreadable").body, "detail");
  CHECK(detail.contains("unreadable"));
  CHECK_FALSE(detail.contains("errno"));
}

TEST_CASE("a file that may not be read can be replaced and keeps its mode") {
  NobodyScene s;
  CHECK_EQ(s.files.upload("w/unreadable", "new").status, 200);
  CHECK_EQ(mode_of(s.work / "unreadable"), 0);
}

TEST_CASE("a move to another device whose source cannot be removed is 403 and loses nothing") {
  NobodyScene s;
  const MemoryFolder memory;
  REQUIRE_EQ(chmod(memory.path().c_str(), 0777), 0);
  if (status_of(memory.path()).st_dev == status_of(s.work).st_dev) return;
  const Names files = {"a/file", "m/file", "read-only/file", "z/file"};
  const auto tree = s.work / "read-only-inside";
  for (const auto& name : files) write_file(tree / name, name);
  for (const char* name : {"", "a", "m", "z"}) chmod((tree / name).c_str(), 0777);
  REQUIRE_EQ(chmod((tree / "read-only").c_str(), 0555), 0);
  CHECK_EQ(problem_of(s.files.move("w/read-only-inside", memory.at("moved"))), "403 forbidden");
  for (const auto& name : files) {
    INFO(name);
    CHECK((read_file(tree / name) == name || read_file(memory.at("moved/" + name)) == name));
  }
  chmod((tree / "read-only").c_str(), 0755);
}

TEST_CASE("an archive with closed directories is unpacked by somebody who is not root") {
  NobodyScene s;
  const auto tar = TarWriter()
                       .directory("d/", 0500)
                       .directory("d/e/", 0000)
                       .file("d/e/file", "x", 0400)
                       .file("d/other", "y", 0000)
                       .symlink("d/link", "other");
  CHECK_EQ(s.files.unpack("w/t", tar.finished()).status, 200);
  CHECK_EQ(mode_of(s.work / "t/d"), 0500);
  chmod((s.work / "t/d").c_str(), 0755);
  CHECK_EQ(mode_of(s.work / "t/d/e"), 0);
  chmod((s.work / "t/d/e").c_str(), 0755);
  CHECK_EQ(mode_of(s.work / "t/d/e/file"), 0400);
  CHECK_EQ(mode_of(s.work / "t/d/other"), 0);
}

TEST_SUITE_END();
