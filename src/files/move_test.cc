#include "files/move.h"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/scratch_folder.h"
#include "base/test_descriptors.h"

namespace sa {
namespace {

const StopFlag go_on = false;

Result<Moved> move_path(const std::string& from, const std::string& to, Overwrite overwrite = Overwrite::no,
                        const StopFlag& stop = go_on) {
  const auto root = FileRoot::open("/", Confined::no);
  TRY(const Place source, place_of(*root->guard(from)));
  TRY(const Place target, place_of(*root->guard(to)));
  return move(source, target, overwrite, stop);
}

// The second folder lies on another device where there is one to write to.
struct Folders {
  ScratchFolder here;
  ScratchFolder there{"/dev/shm"};

  bool on_two_devices() const {
    struct stat one{}, other{};
    return ::stat(here.path().c_str(), &one) == 0 && ::stat(there.path().c_str(), &other) == 0 && one.st_dev != other.st_dev;
  }
};

// Moves the tree to the other device, and renames something as soon as `large` in it is being copied. Whether that was in time.
struct DisturbedMove {
  Result<Moved> moved;
  bool in_time = false;

  DisturbedMove(const Folders& folders, const std::string& from, const std::string& to, unsigned how = RENAME_NOREPLACE)
      : moved(Moved{}) {
    std::atomic<bool> ended = false;
    std::thread other([&] {
      const auto is_copied = [&] {
        const auto names = folders.there.names();
        return !names.empty() && folders.there.has(names.front() + "/large");
      };
      while (!ended && !is_copied()) std::this_thread::yield();
      in_time = ::renameat2(AT_FDCWD, folders.here.at(from).c_str(), AT_FDCWD, folders.here.at(to).c_str(), how) == 0;
    });
    moved = move_path(folders.here.at("tree"), folders.there.at("tree"));
    ended = true;
    other.join();
  }
};

bool is_conflict(const Result<Moved>& moved) { return !moved && moved.error().code == ErrorCode::conflict; }

bool bind_mount(const std::string& from, const std::string& to) {
  return ::mount(from.c_str(), to.c_str(), nullptr, MS_BIND, nullptr) == 0;
}

// What the work says after the mounts, in a process that has mounts of its own. True, without work, where none can be had.
template <class Mounts, class Work>
bool with_own_mounts(const Mounts& mount_all, const Work& work) {
  constexpr int not_here = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 || !mount_all())
      ::_exit(not_here);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == not_here) MESSAGE("skipped: nothing can be mounted here");
  return WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == not_here;
}

}  // namespace

TEST_CASE("a file, a directory and a link change their names, the link's target does not") {
  const ScratchFolder folder;
  folder.write("file", "content");
  folder.write("dir/below", "x");
  folder.link("link", "dir");
  CHECK(move_path(folder.at("file"), folder.at("file2")));
  CHECK(move_path(folder.at("link"), folder.at("link2")));
  CHECK(move_path(folder.at("dir"), folder.at("dir2")));
  CHECK(folder.names() == std::vector<std::string>{"dir2", "file2", "link2"});
  CHECK(folder.read("file2") == "content");
  CHECK(std::filesystem::read_symlink(folder.at("link2")) == "dir");
}

TEST_CASE("an existing target is a conflict and stays as it is") {
  const ScratchFolder folder;
  folder.write("from", "from");
  folder.write("to", "to");
  folder.directory("dir");
  CHECK(move_path(folder.at("from"), folder.at("to")).error().code == ErrorCode::conflict);
  CHECK(move_path(folder.at("from"), folder.at("dir")).error().code == ErrorCode::conflict);
  CHECK(move_path(folder.at("dir"), folder.at("to")).error().code == ErrorCode::conflict);
  CHECK(folder.read("to") == "to");
  CHECK(folder.read("from") == "from");
}

TEST_CASE("overwriting replaces whatever is there, a directory with all below it") {
  const ScratchFolder folder;
  folder.write("file", "new");
  folder.write("old-file", "old");
  CHECK(move_path(folder.at("file"), folder.at("old-file"), Overwrite::yes));
  CHECK(folder.read("old-file") == "new");
  folder.write("dir/new", "new");
  folder.write("full/old/deep", "old");
  CHECK(move_path(folder.at("dir"), folder.at("full"), Overwrite::yes));
  CHECK(folder.names("full") == std::vector<std::string>{"new"});
  CHECK(move_path(folder.at("old-file"), folder.at("full"), Overwrite::yes));
  CHECK(folder.read("full") == "new");
  folder.directory("empty");
  CHECK(move_path(folder.at("empty"), folder.at("full"), Overwrite::yes));
  CHECK(folder.names() == std::vector<std::string>{"full"});
}

TEST_CASE("what was replaced and cannot be removed is out of the way, and another try loses nothing") {
  const ScratchFolder folder;
  folder.write("from/new", "new");
  folder.write("to/old", "old");
  const StopFlag stop = true;
  const auto moved = move_path(folder.at("from"), folder.at("to"), Overwrite::yes, stop);
  REQUIRE(moved);
  CHECK(folder.names("to") == std::vector<std::string>{"new"});
  CHECK(!folder.has("from"));
  REQUIRE(!moved->left_behind.empty());
  CHECK(std::filesystem::exists(moved->left_behind + "/old"));
  CHECK(move_path(folder.at("from"), folder.at("to"), Overwrite::yes).error().code == ErrorCode::not_found);
  CHECK(folder.names("to") == std::vector<std::string>{"new"});
}

TEST_CASE("onto itself nothing happens; of two names of one file the source goes") {
  const ScratchFolder folder;
  folder.write("file", "content");
  CHECK(move_path(folder.at("file"), folder.at("file")));
  CHECK(move_path(folder.at("file"), folder.at("file"), Overwrite::yes));
  std::filesystem::create_hard_link(folder.at("file"), folder.at("same"));
  CHECK(move_path(folder.at("file"), folder.at("same")).error().code == ErrorCode::conflict);
  CHECK(move_path(folder.at("file"), folder.at("same"), Overwrite::yes));
  CHECK(folder.names() == std::vector<std::string>{"same"});
  CHECK(folder.read("same") == "content");
}

TEST_CASE("a file that is bound to another path, too, is not lost when it is moved onto that, whatever other names it has") {
  for (const bool other_name : {false, true})
    for (const bool folder_bound : {false, true}) {
      CAPTURE(other_name);
      CAPTURE(folder_bound);
      const ScratchFolder folder;
      folder.write("file", "content");
      folder.write("dir/bound", "");
      if (other_name) std::filesystem::create_hard_link(folder.at("file"), folder.at("other"));
      const std::vector<std::string> before = folder.names();
      CHECK(with_own_mounts(
          [&] {
            return (!folder_bound || bind_mount(folder.at("dir"), folder.at("dir"))) &&
                   bind_mount(folder.at("file"), folder.at("dir/bound"));
          },
          [&] { return is_conflict(move_path(folder.at("file"), folder.at("dir/bound"), Overwrite::yes)); }));
      CHECK(folder.names() == before);
      CHECK(folder.names("dir") == std::vector<std::string>{"bound"});
      CHECK(folder.read("file") == "content");
    }
}

TEST_CASE("of two names of one file the source goes also when they are seen on two mounts") {
  const ScratchFolder folder;
  folder.write("a/one", "content");
  folder.directory("b");
  std::filesystem::create_hard_link(folder.at("a/one"), folder.at("a/two"));
  CHECK(with_own_mounts([&] { return bind_mount(folder.at("a"), folder.at("b")); },
                        [&] {
                          return move_path(folder.at("a/one"), folder.at("b/two"), Overwrite::yes) &&
                                 folder.names("a") == std::vector<std::string>{"two"};
                        }));
  CHECK(folder.read("a/two") == "content");
}

TEST_CASE("of two names of one file none is lost when a mount holds one of them, or hides it") {
  for (const std::string held : {"one", "two"})
    for (const std::string bound : {"one", "other"}) {
      CAPTURE(held);
      CAPTURE(bound);
      const ScratchFolder folder;
      folder.write("one", "content");
      folder.write("other", "other");
      std::filesystem::create_hard_link(folder.at("one"), folder.at("two"));
      const std::vector<std::string> before = folder.names();
      CHECK(with_own_mounts([&] { return bind_mount(folder.at(bound), folder.at(held)); },
                            [&] { return is_conflict(move_path(folder.at("one"), folder.at("two"), Overwrite::yes)); }));
      CHECK(folder.names() == before);
      CHECK(folder.read("one") == "content");
      CHECK(folder.read("two") == "content");
    }
}

TEST_CASE("a link does not take the place of what it leads to, and nothing is lost") {
  const ScratchFolder folder;
  folder.write("file", "content");
  folder.write("dir/below", "x");
  folder.link("to-file", "file");
  folder.link("far", "to-file");
  folder.link("to-dir", folder.at("dir"));
  for (const Overwrite overwrite : {Overwrite::no, Overwrite::yes}) {
    CHECK(move_path(folder.at("to-file"), folder.at("file"), overwrite).error().code == ErrorCode::conflict);
    CHECK(move_path(folder.at("far"), folder.at("file"), overwrite).error().code == ErrorCode::conflict);
    CHECK(move_path(folder.at("to-dir"), folder.at("dir"), overwrite).error().code == ErrorCode::conflict);
  }
  CHECK(move_path(folder.at("to-file"), folder.at("file"), Overwrite::yes).error().detail.contains("would be lost"));
  CHECK(folder.read("file") == "content");
  CHECK(folder.read("to-file") == "content");
  CHECK(folder.read("dir/below") == "x");
  folder.write("other", "other");
  CHECK(move_path(folder.at("to-file"), folder.at("other"), Overwrite::yes));
  CHECK(folder.read("other") == "content");
  CHECK(move_path(folder.at("file"), folder.at("other"), Overwrite::yes));  // the other way round only the link goes
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder.at("other"))));
  CHECK(folder.read("other") == "content");
}

TEST_CASE("a slash at the end means a directory: no other source is moved, and no other comes to be there") {
  const ScratchFolder folder;
  folder.write("file", "content");
  folder.write("dir/below", "x");
  folder.link("way", "dir");
  const std::vector<std::string> before = folder.names();
  for (const Overwrite overwrite : {Overwrite::no, Overwrite::yes})
    for (const auto& [from, to] : {std::pair("file/", "new"), std::pair("file/.", "new"), std::pair("way/", "new"),
                                   std::pair("file", "new/"), std::pair("file", "file/"), std::pair("dir", "file/")}) {
      CAPTURE(from);
      CAPTURE(to);
      CHECK(move_path(folder.at(from), folder.at(to), overwrite).error().code == ErrorCode::conflict);
    }
  CHECK(folder.names() == before);
  CHECK(move_path(folder.at("dir/"), folder.at("new/")));
  CHECK(folder.read("new/below") == "x");
  CHECK(move_path(folder.at("new/"), folder.at("new")));
  CHECK(move_path(folder.at("file"), folder.at("new/"), Overwrite::yes));
  CHECK(folder.read("new") == "content");
}

TEST_CASE("a directory is not moved into itself, nor onto one it lies in, and nothing is lost") {
  const ScratchFolder folder;
  folder.write("dir/sub/file", "x");
  for (const Overwrite overwrite : {Overwrite::no, Overwrite::yes}) {
    CHECK(move_path(folder.at("dir"), folder.at("dir/sub/dir"), overwrite).error().code == ErrorCode::conflict);
    CHECK(move_path(folder.at("dir/sub"), folder.at("dir"), overwrite).error().code == ErrorCode::conflict);
  }
  CHECK(folder.read("dir/sub/file") == "x");
}

TEST_CASE("a missing source is missing") {
  const ScratchFolder folder;
  folder.write("to", "to");
  CHECK(move_path(folder.at("from"), folder.at("to"), Overwrite::yes).error().code == ErrorCode::not_found);
  CHECK(folder.read("to") == "to");
}

TEST_CASE("a tree moves to another device with its modes, times and links") {
  const Folders folders;
  folders.here.write("tree/script", "#!/bin/sh\n", 0750);
  folders.here.write("tree/deep/er/file", std::string(300'000, 'x'));
  folders.here.link("tree/link", "deep/er");
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1'000);
  std::filesystem::last_write_time(folders.here.at("tree/script"), old);
  ::chmod(folders.here.at("tree/deep").c_str(), 0710);
  CHECK(move_path(folders.here.at("tree"), folders.there.at("moved")));
  CHECK(folders.here.names().empty());
  CHECK(folders.there.names() == std::vector<std::string>{"moved"});
  CHECK(folders.there.mode("moved/script") == 0750);
  CHECK(folders.there.mode("moved/deep") == 0710);
  CHECK(std::filesystem::last_write_time(folders.there.at("moved/script")) == old);
  CHECK(std::filesystem::read_symlink(folders.there.at("moved/link")) == "deep/er");
  CHECK(folders.there.read("moved/deep/er/file").size() == 300'000);
}

TEST_CASE("a tree deeper than all descriptors moves to another device") {
  const Folders folders;
  std::string bottom = "tree";
  for (int i = 0; i < 600; ++i) bottom += "/d";
  folders.here.write(bottom + "/file", "x");
  bool moved = false;
  {
    const FewDescriptors few(200);
    moved = move_path(folders.here.at("tree"), folders.there.at("tree")).has_value();
  }
  CHECK(moved);
  CHECK(folders.here.names().empty());
  CHECK(folders.there.names() == std::vector<std::string>{"tree"});
  CHECK(folders.there.read(bottom + "/file") == "x");
}

TEST_CASE("a file with holes keeps them on another device") {
  const Folders folders;
  folders.here.write("sparse", "begin");
  std::filesystem::resize_file(folders.here.at("sparse"), 64u << 20);
  std::ofstream(folders.here.at("sparse"), std::ios::app) << "end";
  const std::string content = folders.here.read("sparse");
  CHECK(move_path(folders.here.at("sparse"), folders.there.at("sparse")));
  struct stat info{};
  REQUIRE(::stat(folders.there.at("sparse").c_str(), &info) == 0);
  CHECK(info.st_blocks * 512 < 1 << 20);
  CHECK(folders.there.read("sparse") == content);
}

TEST_CASE("a tree somebody writes to while it is copied to another device stays where it is") {
  const Folders folders;
  if (!folders.on_two_devices()) return;
  folders.here.write("tree/log", std::string(32u << 20, 'x'));
  std::atomic<bool> done = false, begun = false;
  std::thread writer([&] {
    std::ofstream log(folders.here.at("tree/log"), std::ios::app);
    while (!done) {
      log << "more" << std::flush;
      if (!begun.exchange(true)) begun.notify_one();
    }
  });
  begun.wait(false);
  const auto moved = move_path(folders.here.at("tree"), folders.there.at("tree"));
  done = true;
  writer.join();
  REQUIRE(!moved);
  CHECK(moved.error().code == ErrorCode::conflict);
  CHECK(moved.error().detail.contains(folders.here.at("tree") + "' was changed while it was moved"));
  CHECK(folders.here.read("tree/log").ends_with("more"));
  CHECK(folders.there.names().empty());
}

TEST_CASE("what is written to a part of a tree that is copied already is not lost") {
  const Folders folders;
  if (!folders.on_two_devices()) return;
  folders.here.write("tree/log", "first\n");
  folders.here.write("tree/sub/large", std::string(32u << 20, 'x'));
  std::atomic<bool> ended = false;
  bool in_time = false;  // the source still had its name when all was written
  std::thread writer([&] {
    const auto log_is_copied = [&] {
      const auto names = folders.there.names();
      return !names.empty() && folders.there.has(names.front() + "/sub/large");
    };
    while (!ended && !log_is_copied()) std::this_thread::yield();
    std::ofstream(folders.here.at("tree/log"), std::ios::app) << "second\n" << std::flush;
    in_time = folders.here.has("tree/log");
  });
  const auto moved = move_path(folders.here.at("tree"), folders.there.at("tree"));
  ended = true;
  writer.join();
  if (in_time) CHECK_FALSE(moved);
  if (moved) return;
  CHECK(moved.error().code == ErrorCode::conflict);
  CHECK(moved.error().detail.contains(folders.here.at("tree") + "' was changed while it was moved"));
  CHECK(folders.here.names() == std::vector<std::string>{"tree"});
  CHECK(folders.here.read("tree/log") == "first\nsecond\n");
  CHECK(folders.there.names().empty());
}

TEST_CASE("a source that loses something while it is copied to another device, or gets a file or link instead, is named") {
  for (const std::string instead : {"nothing", "file", "link"}) {
    CAPTURE(instead);
    const Folders folders;
    if (!folders.on_two_devices()) return;
    folders.here.write("tree/large", std::string(32u << 20, 'x'));
    folders.here.write("tree/sub/inside", "x");
    if (instead == "file") folders.here.write("spare", "x");
    if (instead == "link") folders.here.link("spare", "/");
    const DisturbedMove move(folders, "tree/sub", "spare", instead == "nothing" ? RENAME_NOREPLACE : RENAME_EXCHANGE);
    CHECK(move.in_time == !move.moved);
    if (move.moved) continue;
    CHECK(move.moved.error().code == ErrorCode::conflict);
    CHECK(move.moved.error().detail.contains(folders.here.at("tree") + "' was changed while it was moved"));
    CHECK(folders.here.has("tree/large"));
    CHECK(folders.here.read("spare/inside") == "x");
    CHECK(folders.there.names().empty());
  }
}

TEST_CASE("a source that gets another name while it is copied to another device is missing, and stays whole") {
  const Folders folders;
  if (!folders.on_two_devices()) return;
  folders.here.write("tree/large", std::string(32u << 20, 'x'));
  const DisturbedMove move(folders, "tree", "elsewhere");
  CHECK(move.in_time == !move.moved);
  if (move.moved) return;
  CHECK(move.moved.error().code == ErrorCode::not_found);
  CHECK(move.moved.error().detail.contains("'" + folders.here.at("tree") + "'"));
  CHECK(folders.here.read("elsewhere/large").size() == 32u << 20);
  CHECK(folders.there.names().empty());
}

TEST_CASE("between devices, too, a target is overwritten only when that is allowed") {
  const Folders folders;
  folders.here.write("file", "new");
  folders.there.write("file/old", "old");
  CHECK(move_path(folders.here.at("file"), folders.there.at("file")).error().code == ErrorCode::conflict);
  CHECK(folders.there.read("file/old") == "old");
  CHECK(move_path(folders.here.at("file"), folders.there.at("file"), Overwrite::yes));
  CHECK(folders.there.read("file") == "new");
  CHECK(folders.here.names().empty());
}

TEST_CASE("a move between devices that stops half way leaves the source and no part of a copy") {
  const Folders folders;
  folders.here.write("tree/a", "a");
  folders.here.write("tree/b", "b");
  const StopFlag stop = true;
  if (!folders.on_two_devices()) return;  // a rename needs no time
  const auto moved = move_path(folders.here.at("tree"), folders.there.at("tree"), Overwrite::no, stop);
  REQUIRE(!moved);
  CHECK(moved.error().code == ErrorCode::overloaded);
  CHECK(folders.here.names("tree") == std::vector<std::string>{"a", "b"});
  CHECK(folders.there.names().empty());
}

}  // namespace sa
