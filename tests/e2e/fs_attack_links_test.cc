// Links that try to lead out of a confining root.
#include <doctest/doctest.h>

#include "fs_scene.h"
#include "support/tar_writer.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

// Every route that goes through the link `name`, with what is behind it.
void check_refused_behind(const ConfinedScene& s, const std::string& name) {
  for (const std::string& below : {"/canary", "/nest", "/nest/egg", "/new", "/new/deep"}) {
    const auto path = name + below;
    for (const auto& [route, answer] : every_route(s.files, percent_encoded(path), path)) {
      INFO(route, " ", path);
      CHECK_EQ(problem_of(answer), "403 forbidden");
    }
  }
  CHECK_EQ(problem_of(s.files.list(name)), "403 forbidden");
  CHECK_EQ(problem_of(s.files.stat(name)), "403 forbidden");
  CHECK_EQ(problem_of(s.files.unpack(name, tar_of("evil", "x"))), "403 forbidden");
  CHECK_EQ(problem_of(s.files.make_directory(name + "/.")), "403 forbidden");
  CHECK(s.canary.untouched());
}

}  // namespace

TEST_SUITE_BEGIN("fs_attacks");

TEST_CASE("links that lead out of a confining root are not followed on any route") {
  ConfinedScene s;
  s.write("movable", "x");
  std::filesystem::create_directories(s.root / "sub/deep");
  s.link("relative", "../outside");
  s.link("absolute", s.canary.folder());
  s.link("chain", "relative");
  s.link("sub/up", "../../outside");
  s.link("sub/deep/winding", "../../sub/./deep/../../../outside");
  for (const std::string name : {"relative", "absolute", "chain", "sub/up", "sub/deep/winding"}) check_refused_behind(s, name);
  CHECK_EQ(names_below(s.root), Names{"absolute", "chain", "movable", "relative", "sub"});
}

TEST_CASE("links to single files outside are neither read nor written through") {
  ConfinedScene s;
  s.write("movable", "x");
  s.link("relative", "../outside/canary");
  s.link("absolute", s.canary.folder() / "canary");
  s.link("new", "../outside/new");
  s.link("chain", "relative");
  for (const std::string name : {"relative", "absolute", "new", "chain"}) {
    INFO(name);
    CHECK_EQ(problem_of(s.files.download(name)), "403 forbidden");
    CHECK_EQ(problem_of(s.files.stat(name)), "403 forbidden");
    CHECK_EQ(problem_of(s.files.upload(name, "x")), "403 forbidden");
    CHECK_EQ(problem_of(s.files.upload(name, "x", {{"If-None-Match", "*"}})), "403 forbidden");
    CHECK_EQ(problem_of(s.files.make_directory(name)), "403 forbidden");
    CHECK_EQ(problem_of(s.files.upload(name + "/below", "x")), "403 forbidden");
  }
  CHECK(s.canary.untouched());
}

TEST_CASE("an absolute link is not followed even when it leads inside") {
  ConfinedScene s;
  s.write("file", "x");
  s.link("link", s.root / "file");
  CHECK_EQ(problem_of(s.files.download("link")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.upload("link", "y")), "403 forbidden");
  CHECK_EQ(read_file(s.root / "file"), "x");
}

TEST_CASE("links that stay inside a confining root are followed") {
  ConfinedScene s;
  s.write("a/file", "content");
  std::filesystem::create_directory(s.root / "b");
  s.link("b/link", "../a/file");
  s.link("b/folder", "../a");
  s.link("b/new", "../a/new");
  CHECK_EQ(s.files.download("b/link").body, "content");
  CHECK_EQ(s.files.download("b/folder/file").body, "content");
  CHECK_EQ(s.files.upload("b/link", "changed").status, 200);
  CHECK_EQ(s.files.upload("b/new", "made").status, 200);
  CHECK_EQ(read_file(s.root / "a/file"), "changed");
  CHECK_EQ(read_file(s.root / "a/new"), "made");
  CHECK_EQ(names_in(s.files.list("b/folder")), Names{"file", "new"});
}

TEST_CASE("links that lead out can be listed, moved and removed") {
  ConfinedScene s;
  for (const std::string& target : {std::string("../outside"), s.canary.folder().native(), std::string("../outside/canary")}) {
    s.link("link", target);
    CHECK_EQ(text_in(entry_in(s.files.list("."), "link"), "symlink"), target);
    CHECK_EQ(s.files.move("link", "moved").status, 200);
    CHECK_EQ(link_text(s.root / "moved"), target);
    CHECK_EQ(s.files.remove("moved").status, 200);
    s.link("again", target);
    CHECK_EQ(s.files.remove_tree("again").status, 200);
  }
  CHECK(names_below(s.root).empty());
  CHECK(s.canary.untouched());
}

TEST_CASE("a tree with links that lead out is moved and removed without going there") {
  ConfinedScene s;
  s.write("tree/file", "x");
  s.link("tree/relative", "../../outside");
  s.link("tree/absolute", s.canary.folder());
  CHECK_EQ(s.files.move("tree", "moved").status, 200);
  CHECK_EQ(link_text(s.root / "moved/absolute"), s.canary.folder().native());
  CHECK_EQ(s.files.remove_tree("moved").status, 200);
  CHECK(names_below(s.root).empty());
  CHECK(s.canary.untouched());
}

TEST_CASE("overwriting a link that leads out replaces the link") {
  ConfinedScene s;
  s.write("file", "x");
  s.link("link", "../outside/canary");
  s.link("folder-link", "../outside");
  CHECK_EQ(s.files.move_over("file", "link").status, 200);
  CHECK_FALSE(is_link(s.root / "link"));
  CHECK_EQ(s.files.move_over("link", "folder-link").status, 200);
  CHECK_EQ(read_file(s.root / "folder-link"), "x");
  CHECK(s.canary.untouched());
}

TEST_CASE("the links of /proc that are no words lead nowhere") {
  ConfinedScene s;
  s.link("root", "/proc/self/root");
  s.link("cwd", "/proc/self/cwd");
  const auto path = s.canary.folder().native();
  CHECK_EQ(problem_of(s.files.download("root" + path + "/canary")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.upload("root" + path + "/evil", "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.list("cwd")), "403 forbidden");
  CHECK(s.canary.untouched());
  Daemon in_proc({"--fs-root", "/proc"});
  Files files(in_proc);
  REQUIRE_EQ(files.list("self").status, 200);
  for (const std::string name : {"self/root", "self/cwd", "self/fd/0", "self/exe", "1/root"}) {
    INFO(name);
    CHECK_EQ(problem_of(files.stat(name)), "403 forbidden");
    CHECK_EQ(problem_of(files.download(name)), "403 forbidden");
  }
  CHECK_EQ(problem_of(files.list("self/root")), "403 forbidden");
  CHECK_EQ(problem_of(files.download("self/root" + path + "/canary")), "403 forbidden");
}

TEST_SUITE_END();
