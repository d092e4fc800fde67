#include <doctest/doctest.h>
#include <sys/stat.h>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

TEST_SUITE_BEGIN("fs");

TEST_CASE("a file is moved, and the directories it needs are made") {
  HomeScene s;
  s.write("file", "content");
  REQUIRE_EQ(chmod(s.at("file").c_str(), 0751), 0);
  const auto before = status_of(s.work / "file");
  const auto answer = s.files.move("w/file", "w/a/b/moved");
  REQUIRE_EQ(answer.status, 200);
  CHECK_EQ(text_at(answer.body, "from"), s.at("file"));
  CHECK_EQ(text_at(answer.body, "to"), s.at("a/b/moved"));
  CHECK_EQ(s.read("a/b/moved"), "content");
  CHECK_EQ(status_of(s.work / "a/b/moved").st_ino, before.st_ino);
  CHECK_EQ(mode_of(s.work / "a/b/moved"), 0751);
  CHECK_EQ(names_below(s.work), Names{"a"});
}

TEST_CASE("a directory is moved with all that is in it") {
  HomeScene s;
  s.write("folder/a/file", "x");
  std::filesystem::create_symlink("a/file", s.work / "folder/link");
  const auto before = tree_shot(s.work / "folder");
  CHECK_EQ(s.files.move(s.at("folder"), s.at("new/place")).status, 200);
  CHECK_EQ(tree_shot(s.work / "new/place"), before);
  CHECK_FALSE(present(s.work / "folder"));
}

TEST_CASE("a link is moved itself, even one that leads nowhere") {
  HomeScene s;
  s.write("file", "x");
  std::filesystem::create_symlink("file", s.work / "link");
  std::filesystem::create_symlink("nowhere", s.work / "dangling");
  CHECK_EQ(s.files.move("w/link", "w/l").status, 200);
  CHECK_EQ(s.files.move("w/dangling", "w/d").status, 200);
  CHECK_EQ(link_text(s.work / "l"), "file");
  CHECK_EQ(link_text(s.work / "d"), "nowhere");
  CHECK_EQ(names_below(s.work), Names{"d", "file", "l"});
}

TEST_CASE("a target that exists is 409 and neither is touched") {
  HomeScene s;
  s.write("file", "x");
  s.write("folder/inside", "y");
  s.write("target", "z");
  std::filesystem::create_directory(s.work / "empty");
  std::filesystem::create_symlink("nowhere", s.work / "dangling");
  const auto before = tree_shot(s.work);
  for (const std::string from : {"w/file", "w/folder"}) {
    for (const std::string to : {"w/target", "w/empty", "w/dangling"}) {
      INFO(from, " ", to);
      CHECK_EQ(problem_of(s.files.move(from, to)), "409 conflict");
      CHECK_EQ(problem_of(s.files.post_move({{"from", from}, {"to", to}, {"overwrite", false}})), "409 conflict");
    }
  }
  CHECK_EQ(problem_of(s.files.move("w/file", "w/target/below")), "409 conflict");
  CHECK_EQ(problem_of(s.files.move_over("w/file", "w/target/below")), "409 conflict");
  CHECK_EQ(tree_shot(s.work), before);
}

TEST_CASE("overwrite replaces whatever is there, with whatever comes") {
  HomeScene s;
  for (const std::string source : {"file", "folder", "link"}) {
    for (const std::string target : {"file", "empty", "full", "link", "nothing"}) {
      INFO(source, " over ", target);
      if (source == "file") s.write("source", "new");
      if (source == "folder") s.write("source/inside", "new");
      if (source == "link") std::filesystem::create_symlink("bystander/file", s.work / "source");
      if (target == "file") s.write("target", "old");
      if (target == "empty") std::filesystem::create_directory(s.work / "target");
      if (target == "full") s.write("target/deep/old", "old");
      if (target == "link") std::filesystem::create_symlink("bystander", s.work / "target");
      s.write("bystander/file", "untouched");
      const auto moved = tree_shot(s.work / "source");
      CHECK_EQ(s.files.move_over("w/source", "w/target").status, 200);
      CHECK_EQ(names_below(s.work), Names{"bystander", "target"});
      if (source != "link") CHECK_EQ(tree_shot(s.work / "target"), moved);
      if (source == "link") CHECK_EQ(link_text(s.work / "target"), "bystander/file");
      CHECK_EQ(names_below(s.work / "bystander"), Names{"file"});
      CHECK_EQ(s.read("bystander/file"), "untouched");
      std::filesystem::remove_all(s.work / "target");
    }
  }
}

TEST_CASE("a directory that is spelled with a slash replaces a file or a link, and nothing of them is left at its place") {
  HomeScene s;
  for (const bool is_link : {false, true}) {
    CAPTURE(is_link);
    s.write("source/inside", "new");
    if (is_link) std::filesystem::create_symlink("nowhere", s.work / "target");
    if (!is_link) s.write("target", "old");
    CHECK_EQ(s.files.move_over("w/source/", "w/target").status, 200);
    CHECK_EQ(names_below(s.work), Names{"target"});
    CHECK_EQ(s.read("target/inside"), "new");
    std::filesystem::remove_all(s.work / "target");
  }
}

TEST_CASE("a move onto itself changes nothing, however it is spelled") {
  HomeScene s;
  s.write("file", "x");
  s.write("folder/inside", "y");
  std::filesystem::create_directory_symlink(".", s.work / "here");
  const auto before = tree_shot(s.work, Times::included);
  for (const std::string name : {"file", "folder"}) {
    for (const std::string& to : {"w/" + name, "w//./" + name, s.at(name), "w/here/" + name}) {
      INFO(to);
      CHECK_EQ(s.files.move("w/" + name, to).status, 200);
      CHECK_EQ(s.files.move_over("w/" + name, to).status, 200);
    }
  }
  CHECK_EQ(tree_shot(s.work, Times::included), before);
}

TEST_CASE("a move between two names of one file leaves the one name") {
  HomeScene s;
  s.write("one", "content");
  std::filesystem::create_hard_link(s.work / "one", s.work / "two");
  CHECK_EQ(problem_of(s.files.move("w/one", "w/two")), "409 conflict");
  CHECK_EQ(names_below(s.work), Names{"one", "two"});
  CHECK_EQ(s.files.move_over("w/one", "w/two").status, 200);
  CHECK_EQ(names_below(s.work), Names{"two"});
  CHECK_EQ(s.read("two"), "content");
}

TEST_CASE("a link does not take the place of what it leads to, and nothing is lost") {
  HomeScene s;
  s.write("file", "x");
  s.write("folder/inside", "y");
  std::filesystem::create_symlink("file", s.work / "link");
  std::filesystem::create_symlink("folder", s.work / "way");
  const auto before = tree_shot(s.work);
  CHECK_EQ(problem_of(s.files.move_over("w/link", "w/file")), "409 conflict");
  CHECK_EQ(problem_of(s.files.move_over("w/way", "w/folder")), "409 conflict");
  CHECK_EQ(tree_shot(s.work), before);
}

TEST_CASE("a directory is not moved into itself, and nothing is lost") {
  HomeScene s;
  s.write("folder/sub/file", "x");
  std::filesystem::create_directory_symlink("folder/sub", s.work / "link");
  const auto before = tree_shot(s.work);
  for (const std::string to : {"w/folder/new", "w/folder/sub/new", "w/link/new", "w/folder/a/b/new"}) {
    for (const bool over : {false, true}) {
      INFO(to);
      const auto status = (over ? s.files.move_over("w/folder", to) : s.files.move("w/folder", to)).status;
      CHECK((status == 400 || status == 409));
    }
  }
  CHECK_EQ(s.files.move_over("w/folder", "w/folder/sub").status / 100, 4);
  CHECK_EQ(tree_shot(s.work), before);
}

TEST_CASE("a directory is not replaced by something inside it, and nothing is lost") {
  HomeScene s;
  s.write("folder/sub/file", "x");
  s.write("folder/other", "y");
  const auto before = tree_shot(s.work);
  for (const std::string from : {"w/folder/sub", "w/folder/sub/file", "w/folder/other"}) {
    INFO(from);
    const auto status = s.files.move_over(from, "w/folder").status;
    CHECK((status == 400 || status == 409));
    CHECK_EQ(tree_shot(s.work), before);
  }
}

TEST_CASE("a source that is not there is 404, and nothing is made or replaced") {
  HomeScene s;
  s.write("target", "x");
  CHECK_EQ(problem_of(s.files.move("w/none", "w/new/place")), "404 not_found");
  CHECK_EQ(problem_of(s.files.move_over("w/none", "w/target")), "404 not_found");
  CHECK_EQ(names_below(s.work), Names{"target"});
  CHECK_EQ(s.read("target"), "x");
}

TEST_CASE("the root is neither moved nor replaced") {
  HomeScene s;
  s.write("file", "x");
  CHECK_EQ(s.files.move(".", "w/new").status / 100, 4);
  CHECK_EQ(s.files.move_over("w/file", ".").status / 100, 4);
  CHECK_EQ(s.files.move_over("w/file", s.daemon.home().native()).status / 100, 4);
  CHECK_EQ(s.read("file"), "x");
}

TEST_CASE("of moves of one file at the same moment exactly one wins") {
  HomeScene s;
  for (int round = 0; round < 10; ++round) {
    s.write("file", "x");
    std::vector<Connection> clients;
    for (int i = 0; i < 6; ++i) {
      const auto body = boost::json::serialize(boost::json::value{{"from", "w/file"}, {"to", "w/t" + std::to_string(i)}});
      clients.push_back(s.files.begin("POST", "/v1/fs/move", {{"Content-Type", "application/json"}}, body));
    }
    int won = 0;
    for (auto& client : clients) won += client.read_response().status == 200 ? 1 : 0;
    CHECK_EQ(won, 1);
    REQUIRE_EQ(names_below(s.work).size(), 1);
    std::filesystem::remove(s.work / names_below(s.work)[0]);
  }
}

TEST_CASE("the body of a move is checked field by field") {
  HomeScene s;
  s.write("file", "x");
  const auto refused_field = [&](const boost::json::value& body) {
    const auto answer = s.files.post_move(body);
    return problem_of(answer) + " " + field_of(answer);
  };
  CHECK_EQ(refused_field({{"to", "w/t"}}), "422 unprocessable from");
  CHECK_EQ(refused_field({{"from", "w/file"}}), "422 unprocessable to");
  CHECK_EQ(refused_field({{"from", 1}, {"to", "w/t"}}), "422 unprocessable from");
  CHECK_EQ(refused_field({{"from", "w/file"}, {"to", nullptr}}), "422 unprocessable to");
  CHECK_EQ(refused_field({{"from", "w/file"}, {"to", "w/t"}, {"overwrite", "yes"}}), "422 unprocessable overwrite");
  CHECK_EQ(s.files.post_move(boost::json::array()).status, 422);
  CHECK_EQ(names_below(s.work), Names{"file"});
  const Headers json = {{"Content-Type", "application/json"}};
  CHECK_EQ(problem_of(s.files.request("POST", "/v1/fs/move", json, "{\"from\":")), "400 invalid_request");
  CHECK_EQ(problem_of(s.files.request("POST", "/v1/fs/move", {}, "{}")), "415 unsupported_media_type");
  CHECK_EQ(s.files.post_move({{"from", "w/file"}, {"to", "w/t"}, {"color", "blue"}}).status, 200);
}

TEST_SUITE_END();
