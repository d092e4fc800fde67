// Paths that try to lead out by their words.
#include <doctest/doctest.h>

#include "fs_scene.h"
#include "server_run.h"

using namespace rig;
using Names = std::vector<std::string>;

TEST_SUITE_BEGIN("fs_attacks");

TEST_CASE("two dots in a relative path are 400 in every spelling, on every route") {
  TempDir folder;
  const auto home = folder.path() / "1/2/3/4/5/home";  // so that a failure stays in the folder
  write_file(home / "w/a/b", "x");
  write_file(home / "movable", "x");
  const Canary canary(home.parent_path() / "outside");
  const ServerRun server(home, R"(exec "$@")", {});
  const Files files(server.port, text_at(server.out(), "token"));
  for (const std::string spelling : {"..", "../", "../outside", "w/..", "w/../", "w/../w/a", "./..", "w/a/../../..",
                                     "..//outside", "w//..", "../../5/outside", "%2e%2e", "%2E%2e", ".%2e", "%2e./outside",
                                     "w/%2e%2e", "w%2f..%2fw", "w/%2e%2e/%2e%2e", "w/%2e%2e%2f%2e%2e%2foutside"}) {
    for (const auto& [route, answer] : every_route(files, spelling, "")) {
      INFO(route, " ", spelling);
      CHECK_EQ(problem_of(answer), "400 invalid_request");
      CHECK_EQ(field_of(answer), "path");
    }
  }
  for (const std::string text : {"..", "../outside", "w/../x", "w/a/..", "./../outside/canary"}) {
    INFO(text);
    CHECK_EQ(problem_of(files.move_over("movable", text)), "400 invalid_request");
    CHECK_EQ(problem_of(files.move_over(text, "moved-here")), "400 invalid_request");
  }
  CHECK_EQ(names_below(home / "w"), Names{"a"});
  CHECK_EQ(names_below(home.parent_path()), Names{"home", "outside"});
  CHECK(canary.untouched());
}

TEST_CASE("what only looks like two dots is a name") {
  HomeScene s;
  const Canary canary(s.work / "outside");
  // escaped -> the name it must be
  for (const auto& [escaped, name] : {std::pair<std::string, std::string>{"...", "..."},
                                      {"..x", "..x"},
                                      {"x..", "x.."},
                                      {"..%5coutside", "..\\outside"},
                                      {"..%5C..%5Cx", "..\\..\\x"},
                                      {"%252e%252e", "%2e%2e"},
                                      {"%252e%252e%252fx", "%2e%2e%2fx"},
                                      {"%c0%ae%c0%ae", "\xc0\xae\xc0\xae"},
                                      {"%e0%80%ae.", "\xe0\x80\xae."},
                                      {"%c0%ae.%c0%afx", "\xc0\xae.\xc0\xafx"},
                                      {"%ef%bc%8e%ef%bc%8e", "\xef\xbc\x8e\xef\xbc\x8e"},
                                      {"..%20", ".. "},
                                      {"%20..", " .."},
                                      {"~", "~"},
                                      {"~root", "~root"},
                                      {"$HOME", "$HOME"},
                                      {"%24%28id%29", "$(id)"}}) {
    INFO(escaped);
    CHECK_EQ(s.files.request("GET", Files::raw_target("file", "w/" + escaped)).status, 404);
    CHECK_EQ(s.files.request("PUT", Files::raw_target("file", "w/" + escaped), {}, name).status, 200);
    CHECK_EQ(names_below(s.work), Names{std::min<std::string>(name, "outside"), std::max<std::string>(name, "outside")});
    CHECK_EQ(s.read(name), name);
    CHECK_EQ(s.files.request("DELETE", Files::raw_target("entry", "w/" + escaped)).status, 200);
  }
  CHECK(canary.untouched());
}

TEST_CASE("a NUL in a path is 400 on every route") {
  HomeScene s;
  s.write("file", "x");
  for (const std::string spelling : {"%00", "w/file%00", "w/file%00.txt", "%00w/file", "w%00/file"}) {
    for (const auto& [route, answer] : every_route(s.files, spelling, "")) {
      INFO(route, " ", spelling);
      CHECK_EQ(problem_of(answer), "400 invalid_request");
    }
  }
  const std::string with_nul("w/file\0x", 8);
  CHECK_EQ(s.files.move(with_nul, "w/t").status / 100, 4);
  CHECK_EQ(s.files.move("w/file", with_nul).status / 100, 4);
  CHECK_EQ(names_below(s.work), Names{"file"});
}

TEST_CASE("two paths in one query do not confuse") {
  HomeScene s;
  s.write("file", "x");
  const auto answer = s.files.request("GET", "/v1/fs/file?path=w/file&path=/etc/passwd");
  CHECK((answer.status == 400 || answer.body == "x"));
}

TEST_CASE("a confining root refuses absolute paths outside on every route") {
  ConfinedScene s;
  s.write("movable", "x");
  const auto outside = s.canary.folder().native();
  const auto home = s.daemon.home().native();
  for (const auto& path :
       Names{outside, outside + "/canary", outside + "/new", outside + "/new/deep", s.folder.path().native(),
             s.root.native() + "-evil", s.root.native() + "-evil/x", s.root.native() + ".", home + "/x",
             s.folder.path().native() + "/roo", "//" + outside.substr(1), "/./" + outside.substr(1) + "/canary"}) {
    for (const auto& [route, answer] : every_route(s.files, percent_encoded(path), path)) {
      INFO(route, " ", path);
      CHECK_EQ(problem_of(answer), "403 forbidden");
    }
  }
  CHECK_EQ(names_below(s.folder.path()), Names{"outside", "root"});
  CHECK_EQ(names_below(s.root), Names{"movable"});
  CHECK(s.canary.untouched());
}

TEST_CASE("an absolute path that starts inside a confining root does not lead out of it") {
  ConfinedScene s;
  s.write("movable", "x");
  s.write("sub/file", "x");
  const auto root = s.root.native();
  for (const auto& path :
       Names{root + "/..", root + "/../outside", root + "/../outside/canary", root + "/sub/../../outside/new",
             root + "/./../outside", root + "//..//outside/canary", root + "/../root/../outside/x"}) {
    for (const auto& [route, answer] : every_route(s.files, percent_encoded(path), path)) {
      INFO(route, " ", path);
      CHECK((problem_of(answer) == "403 forbidden" || problem_of(answer) == "400 invalid_request"));
    }
  }
  CHECK_EQ(names_below(s.root), Names{"movable", "sub"});
  CHECK(s.canary.untouched());
}

TEST_CASE("names beside a confining root that begin like it are outside") {
  ConfinedScene s;
  const Canary evil(s.folder.path() / "root-evil");
  CHECK_EQ(problem_of(s.files.download((evil.folder() / "canary").native())), "403 forbidden");
  CHECK_EQ(problem_of(s.files.upload((evil.folder() / "canary").native(), "x")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.list(evil.folder().native())), "403 forbidden");
  CHECK(evil.untouched());
}

TEST_CASE("inside a confining root everything works, by relative and by absolute path") {
  ConfinedScene s;
  const auto root = s.root.native();
  CHECK_EQ(s.files.upload("a/file", "1").status, 200);
  CHECK_EQ(s.files.upload(root + "/a/other", "2").status, 200);
  CHECK_EQ(s.files.download(root + "/a/file").body, "1");
  CHECK_EQ(s.files.download("a/other").body, "2");
  CHECK_EQ(names_in(s.files.list(root)), Names{"a"});
  CHECK_EQ(names_in(s.files.list(root + "/")), Names{"a"});
  CHECK_EQ(names_in(s.files.request("GET", "/v1/fs/entries")), Names{"a"});
  CHECK_EQ(text_at(s.files.stat("a/file").body, "path"), root + "/a/file");
  CHECK_EQ(s.files.make_directory(root + "/b/c").status, 200);
  CHECK_EQ(s.files.move("a/file", root + "/b/moved").status, 200);
  CHECK_EQ(s.files.remove_tree(root + "/a").status, 200);
  CHECK_EQ(s.files.remove_tree("b").status, 200);
  CHECK(names_below(s.root).empty());
  CHECK_EQ(s.files.remove_tree(root).status / 100, 4);
  CHECK(present(s.root));
}

TEST_CASE("a confining root that was given as a link is known by both names") {
  ConfinedScene s("alias");
  s.write("file", "content");
  const auto alias = (s.folder.path() / "alias").native();
  CHECK_EQ(s.files.download("file").body, "content");
  CHECK_EQ(s.files.download(alias + "/file").body, "content");
  CHECK_EQ(s.files.download(s.root.native() + "/file").body, "content");
  CHECK_EQ(s.files.upload(alias + "/new", "x").status, 200);
  CHECK_EQ(names_below(s.root), Names{"file", "new"});
  CHECK_EQ(problem_of(s.files.download(alias + "-x/file")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.list(s.canary.folder().native())), "403 forbidden");
  // What the alias leads to later is of no interest.
  std::filesystem::remove(alias);
  std::filesystem::create_directory_symlink("outside", alias);
  CHECK_NE(s.files.download(alias + "/canary").body, Canary::secret);
  CHECK_NE(s.files.upload(alias + "/evil", "x").status / 100, 5);
  CHECK(s.canary.untouched());
}

TEST_CASE("the whole file system can be the confining root") {
  TempDir folder;
  write_file(folder.path() / "file", "content");
  Daemon daemon({"--fs-root", "/"});
  Files files(daemon);
  CHECK_EQ(files.download((folder.path() / "file").native()).body, "content");
  CHECK_EQ(files.download(folder.path().native().substr(1) + "/file").body, "content");
  CHECK_EQ(text_at(files.stat("/").body, "entryType"), "directory");
}

TEST_SUITE_END();
