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

// `through` is a command that runs the daemon, such as one that limits it.
std::string as_nobody(const std::string& through) {
  return "through='" + through + R"sh('
  if [ "$(id -u)" != 0 ]; then exec $through "$@"; fi
  daemon=$HOME/daemon-under-test
  cp "$1" "$daemon" && shift && chown -R 65534:65534 "$HOME"
  exec setpriv --reuid=65534 --regid=65534 --clear-groups $through "$daemon" "$@")sh";
}

// Lets the daemon have threads. Root alone may not, so whoever it runs as does it.
bool allow_threads(pid_t pid) {
  Launch launch;
  launch.argv = {"/usr/bin/prlimit", "--nproc=1000:1000", "--pid=" + std::to_string(pid)};
  if (geteuid() == 0)
    launch.argv.insert(launch.argv.begin(), {"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
  launch.cwd = "/";
  return Process(launch).wait(milliseconds(5000)) == Ending{.code = 0};
}

struct NobodyScene {
  TempDir home;
  std::filesystem::path work = home.path() / "w";
  ServerRun server;
  Files files;

  explicit NobodyScene(const std::string& through = "")
      : server(prepared(home.path()), as_nobody(through), {}), files(server.port, text_at(server.out(), "token")) {}
  ~NobodyScene() {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(work)) {
      if (entry.is_directory() && !entry.is_symlink()) chmod(entry.path().c_str(), 0755);
    }
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

TEST_CASE("a move whose source, or what it replaced, cannot be removed is done all the same, and a second try loses nothing") {
  NobodyScene s;
  const MemoryFolder memory;
  REQUIRE_EQ(chmod(memory.path().c_str(), 0777), 0);
  const Names files = {"a/file", "read-only/file", "z/file"};
  for (const std::string& target : {(s.work / "moved").native(), memory.at("moved")}) {
    INFO(target);
    const auto tree = s.work / "tree";
    for (const auto& name : files) write_file(tree / name, name);
    write_file(std::filesystem::path(target) / "read-only/old", "old");
    for (const auto& folder : {tree, std::filesystem::path(target)}) {
      for (const char* name : {"", "a", "z"}) chmod((folder / name).c_str(), 0777);
      REQUIRE_EQ(chmod((folder / "read-only").c_str(), 0555), 0);
    }
    CHECK_EQ(s.files.move_over("w/tree", target).status, 200);
    CHECK_FALSE(present(tree));
    CHECK_EQ(problem_of(s.files.move_over("w/tree", target)), "404 not_found");
    for (const auto& name : files) CHECK_EQ(read_file(std::filesystem::path(target) / name), name);
    CHECK(s.server.err().contains("cannot be removed"));
  }
}

TEST_CASE("where the system has no thread for it file work waits, and everything else goes on") {
  NobodyScene s("prlimit --nproc=1:1000");
  auto waiting = s.files.begin("GET", Files::target("stat", "w/free"));
  CHECK_EQ(s.server.request("GET", "/v1/health").status, 200);
  CHECK_FALSE(waiting.readable_unscaled(milliseconds(100)));
  REQUIRE(allow_threads(s.server.process.pid()));
  CHECK_EQ(waiting.read_response().status, 200);
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
