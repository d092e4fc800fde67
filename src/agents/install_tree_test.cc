#include "agents/install_tree.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/log.h"
#include "base/scratch_folder.h"
#include "base/unique_fd.h"
#include "files/directory_lock.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

constexpr char script[] = "#!/bin/sh\n";
const StopFlag never{false};

// A data folder in which agents are installed.
struct Data {
  Data() { folder.directory("bin/agent_processes/a.d"); }

  std::string below(const std::string& name) const { return "bin/agent_processes/" + name; }
  std::string link(const std::string& name) const { return std::filesystem::read_symlink(folder.at(name)); }
  InstallTree begin(const std::string& version = "1.0") const {
    auto tree = InstallTree::begin(store, "a", version, never);
    REQUIRE(tree.has_value());
    return *tree;
  }
  // A complete install.
  InstallTree install(const std::string& version = "1.0", const std::string& native = "") const {
    InstallTree tree = begin(version);
    REQUIRE(tree.write("launch", script, 0755).has_value());
    if (!native.empty()) REQUIRE(tree.write("native", script, 0755).has_value());
    REQUIRE(tree.switch_to(native).has_value());
    return tree;
  }
  Strings trees() const { return folder.names(below("a.d")); }

  ScratchFolder folder;
  Store store{folder.path()};
};

}  // namespace

TEST_CASE("a new tree is empty, named after its version, and no other has its name") {
  const Data data;
  const InstallTree tree = data.begin("1.2.3");
  CHECK(tree.name().starts_with("1.2.3-"));
  CHECK(tree.path() == data.store.folder("a") + "/" + tree.name());
  CHECK(tree.at("x/y") == tree.path() + "/x/y");
  CHECK(data.folder.names(data.below("a.d/" + tree.name())).empty());
  CHECK(data.begin("1.2.3").name() != tree.name());
  CHECK(data.begin("").name().starts_with("unversioned-"));
  CHECK(data.begin("a/b").name().starts_with("a_b-"));
}

TEST_CASE("a new tree removes what the launcher does not name, and nothing else") {
  const Data data;
  const InstallTree current = data.install();
  data.folder.write(data.below("a.d/killed-xyz/deep/file"), "x");
  data.folder.write(data.below("a.d/stray"), "x");
  data.folder.write("outside/kept", "x");
  data.folder.link(data.below("a.d/link"), data.folder.at("outside"));
  data.folder.write(data.below("b.d/1.0/launch"), script, 0755);
  const InstallTree next = data.begin("2.0");
  CHECK(data.trees() == Strings{current.name(), next.name()});
  CHECK(data.folder.has("outside/kept"));
  CHECK(data.folder.has(data.below("b.d/1.0/launch")));
}

TEST_CASE("the tree the launcher names stays, also when it cannot be started just now") {
  const Data data;
  const InstallTree current = data.install();
  std::filesystem::permissions(current.at("launch"), std::filesystem::perms::owner_read);
  const InstallTree next = data.begin("2.0");
  CHECK(data.trees() == Strings{current.name(), next.name()});
}

TEST_CASE("a launcher put there by hand stays also when it cannot be started just now") {
  const Data data;
  const std::string launcher = data.below("a-acp");
  SUBCASE("a file without the x bit") { data.folder.write(launcher, "my own work"); }
  SUBCASE("a link to what is not there") { data.folder.link(launcher, "/not/mounted/agent"); }
  const InstallTree tree = data.begin();
  REQUIRE(tree.write("launch", script, 0755).has_value());
  const auto switched = tree.switch_to("");
  REQUIRE_FALSE(switched.has_value());
  CHECK(switched.error().code == ErrorCode::conflict);
  REQUIRE(remove_install(data.store, "a", never).has_value());
  CHECK(data.folder.has(launcher));
  CHECK(data.store.holds_something_else("a"));
}

TEST_CASE("a tool's name that cannot be made does not undo the switch") {
  const Data data;
  const InstallTree tree = data.begin();
  REQUIRE(tree.write("launch", script, 0755).has_value());
  REQUIRE(tree.write("native", script, 0755).has_value());
  log::set_level(log::Level::off);
  CHECK(tree.switch_to(std::string(300, 't')).has_value());
  log::set_level(log::Level::info);
  CHECK(data.store.look("a").tree == tree.name());
}

TEST_CASE("the version that was just replaced stays until the next install") {
  const Data data;
  const InstallTree first = data.install("1.0");
  const InstallTree second = data.install("2.0");
  CHECK(data.trees() == Strings{first.name(), second.name()});
  const InstallTree third = data.install("3.0");
  CHECK(data.trees() == Strings{second.name(), third.name()});
}

TEST_CASE("a switch makes the launcher a relative link to the new tree, and leaves nothing beside it") {
  const Data data;
  const InstallTree first = data.install("1.0");
  CHECK(data.link(data.below("a-acp")) == "a.d/" + first.name() + "/launch");
  CHECK(data.store.look("a").tree == first.name());
  const InstallTree second = data.install("2.0");
  CHECK(data.store.look("a").tree == second.name());
  CHECK(data.folder.names("bin/agent_processes") == Strings{"a-acp", "a.d"});
  std::filesystem::rename(data.folder.at("bin"), data.folder.at("moved"));
  CHECK(is_executable_file(data.folder.at("moved/agent_processes/a-acp")));
}

TEST_CASE("a launcher is there at every moment of a switch") {
  const Data data;
  data.install("0.0");
  const InstallTree one = data.begin("1.0");
  REQUIRE(one.write("launch", script, 0755).has_value());
  std::jthread watcher;
  std::atomic<std::size_t> looks = 0, gone = 0;
  watcher = std::jthread([&](const std::stop_token& over) {
    while (!over.stop_requested()) {
      if (data.store.look("a").found != Store::Found::installed) ++gone;
      ++looks;
    }
  });
  while (looks == 0) std::this_thread::yield();
  for (int i = 0; i < 200; ++i) REQUIRE(one.switch_to("").has_value());
  watcher.request_stop();
  watcher.join();
  CHECK(gone == 0);
}

TEST_CASE("a launcher put there by hand is never replaced") {
  const Data data;
  for (const bool is_link : {false, true}) {
    CAPTURE(is_link);
    std::filesystem::remove(data.store.launcher("a"));
    if (is_link) {
      data.folder.link(data.below("a-acp"), "/bin/sh");
    } else {
      data.folder.write(data.below("a-acp"), "mine", 0755);
    }
    const InstallTree tree = data.begin();
    REQUIRE(tree.write("launch", script, 0755).has_value());
    const auto switched = tree.switch_to("");
    REQUIRE_FALSE(switched.has_value());
    CHECK(switched.error().code == ErrorCode::conflict);
    CHECK(switched.error().detail.contains(data.store.launcher("a")));
    CHECK(data.store.look("a").found == Store::Found::by_hand);
  }
}

TEST_CASE("the tool of an install gets its name in the folder above, unless somebody has it") {
  const Data data;
  const InstallTree first = data.install("1.0", "tool");
  CHECK(data.link("bin/tool") == "agent_processes/a.d/" + first.name() + "/native");
  const InstallTree second = data.install("2.0", "tool");
  CHECK(data.link("bin/tool") == "agent_processes/a.d/" + second.name() + "/native");
  CHECK(data.folder.names("bin") == Strings{"agent_processes", "tool"});
  data.folder.write("bin/mine", "mine", 0755);
  data.install("3.0", "mine");
  CHECK(data.folder.read("bin/mine") == "mine");
  data.folder.link("bin/other", "agent_processes/b.d/1.0/native");
  data.install("4.0", "other");
  CHECK(data.link("bin/other") == "agent_processes/b.d/1.0/native");
}

TEST_CASE("a file of a tree is written once, with its mode") {
  const Data data;
  const InstallTree tree = data.begin();
  CHECK(tree.write("launch", "text", 0755).has_value());
  CHECK(data.folder.read(data.below("a.d/" + tree.name() + "/launch")) == "text");
  CHECK((data.folder.mode(data.below("a.d/" + tree.name() + "/launch")) & 0700U) == 0700U);
  CHECK_FALSE(tree.write("launch", "again", 0755).has_value());
  CHECK_FALSE(tree.write("no/such/folder", "x", 0644).has_value());
}

TEST_CASE("a tree that is given up is gone with all it has, and the install before it stays") {
  const Data data;
  const InstallTree current = data.install();
  const InstallTree tree = data.begin("2.0");
  data.folder.write(data.below("a.d/" + tree.name() + "/deep/er/file"), "x");
  data.folder.write("outside/kept", "x");
  data.folder.link(data.below("a.d/" + tree.name() + "/out"), data.folder.at("outside"));
  tree.drop();
  CHECK(data.trees() == Strings{current.name()});
  CHECK(data.folder.has("outside/kept"));
  CHECK(data.store.look("a").tree == current.name());
}

TEST_CASE("removing an install takes its launcher, its trees and its tool, and nothing else") {
  const Data data;
  data.install("1.0", "tool");
  data.install("2.0", "tool");
  data.folder.write("bin/mine", "mine", 0755);
  data.folder.link("bin/other", "agent_processes/ab.d/1.0/native");
  data.folder.write(data.below("b-acp"), script, 0755);
  REQUIRE(remove_install(data.store, "a", never).has_value());
  CHECK(data.folder.names("bin") == Strings{"agent_processes", "mine", "other"});
  CHECK_FALSE(data.folder.has(data.below("a-acp")));
  CHECK(data.trees().empty());
  CHECK(data.folder.has(data.below("b-acp")));
  CHECK(remove_install(data.store, "a", never).has_value());
  CHECK(remove_install(data.store, "never-there", never).has_value());
}

TEST_CASE("removing leaves a launcher that was put there by hand") {
  const Data data;
  data.folder.write(data.below("a-acp"), "mine", 0755);
  data.folder.write(data.below("a.d/killed/file"), "x");
  REQUIRE(remove_install(data.store, "a", never).has_value());
  CHECK(data.folder.read(data.below("a-acp")) == "mine");
  CHECK(data.trees().empty());
}

TEST_CASE("our own launcher is removed also when its tree is gone") {
  const Data data;
  const InstallTree tree = data.install();
  std::filesystem::remove_all(tree.path());
  REQUIRE(data.store.look("a").found == Store::Found::nothing);
  REQUIRE(remove_install(data.store, "a", never).has_value());
  CHECK_FALSE(data.folder.has(data.below("a-acp")));
}

TEST_CASE("folders of killed processes are removed, and those that somebody holds stay") {
  const ScratchFolder folder;
  folder.write("work-dead/deep/file", "x");
  folder.directory("work-held");
  folder.directory("other");
  folder.write("outside/kept", "x");
  folder.link("work-link", folder.at("outside"));
  const UniqueFd held(::open(folder.at("work-held").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto lock = DirectoryLock::take(held.get(), "work-held", {}, never);
  REQUIRE(lock.has_value());
  remove_abandoned(folder.path(), "work-", never);
  CHECK(folder.names() == Strings{"other", "outside", "work-held", "work-link"});
  CHECK(folder.has("outside/kept"));
  remove_abandoned(folder.at("none"), "work-", never);
}

TEST_CASE("directories are made with those above them, and again without harm") {
  const ScratchFolder folder;
  CHECK(make_directories(folder.at("a/b/c")).has_value());
  CHECK(std::filesystem::is_directory(folder.at("a/b/c")));
  CHECK(make_directories(folder.at("a/b/c")).has_value());
  folder.write("file", "x");
  CHECK_FALSE(make_directories(folder.at("file/below")).has_value());
}

}  // namespace sa
