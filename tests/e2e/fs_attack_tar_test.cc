// Archives whose entries try to reach outside the target.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "fs_scene.h"
#include "support/tar_writer.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

// A target beside a canary. Everything outside the target is checked, whatever the archive did.
struct TarScene : HomeScene {
  Canary canary{work / "outside"};
  std::string secret_file = (canary.folder() / "canary").native();

  // Unpacks into a fresh target; the answer as a problem, or its status.
  std::string unpack(const TarWriter& tar) const {
    std::filesystem::remove_all(work / "t");
    std::filesystem::create_directory(work / "t");
    return unpack_more(tar);
  }
  std::string unpack_more(const TarWriter& tar) const {
    const auto answer = files.unpack("w/t", tar.finished());
    CHECK(canary.untouched());
    CHECK_EQ(names_below(work), Names{"outside", "t"});
    return answer.status == 200 ? "200" : problem_of(answer);
  }
};

// One honest entry before what follows.
TarWriter before() { return TarWriter().file("before", "stays"); }

}  // namespace

TEST_SUITE_BEGIN("fs_attacks");

TEST_CASE("names that lead out of the target are refused, what came before stays") {
  TarScene s;
  for (const auto& name :
       Names{s.at("outside/evil"), s.at("t/evil"), "/evil", "//evil", "../evil", "../outside/evil", "a/../../outside/evil",
             "a/..", "..", "./..", "./../outside/canary", "a/../b", "a/b/../../..//outside/evil"}) {
    INFO(name);
    CHECK_EQ(s.unpack(before().file(name, "evil").file("after", "never")), "400 invalid_request");
    CHECK_EQ(names_below(s.work / "t"), Names{"before"});
    CHECK_EQ(s.unpack(before().directory(name, 0777)), "400 invalid_request");
    CHECK_EQ(s.unpack(before().symlink(name, "x")), "400 invalid_request");
    CHECK_EQ(s.unpack(before().file("a", "").hard_link(name, "before")), "400 invalid_request");
  }
  CHECK_FALSE(present("/evil"));
}

TEST_CASE("names that lead out are refused in long-name and pax entries too") {
  TarScene s;
  const auto deep = [] {
    std::string out;
    for (int i = 0; i < 60; ++i) out += "a/../";
    return out;
  }();
  CHECK_EQ(s.unpack(before().file(deep + "../outside/evil", "evil")), "400 invalid_request");
  CHECK_EQ(s.unpack(before().pax({{"path", "../outside/evil"}}).file("honest", "evil")), "400 invalid_request");
  CHECK_EQ(s.unpack(before().pax({{"path", s.at("outside/evil")}}).file("honest", "evil")), "400 invalid_request");
  CHECK_EQ(s.unpack(before().pax({{"linkpath", "../outside/canary"}}).hard_link("honest", "before")), "400 invalid_request");
  CHECK_FALSE(present(s.work / "t/honest"));
}

TEST_CASE("names with backslashes, drive letters and other dots are names") {
  TarScene s;
  for (const auto& name : Names{"..\\outside\\evil", "C:\\evil", "...", "..x", "%2e%2e"}) {
    INFO(name);
    CHECK_EQ(s.unpack(TarWriter().file(name, "x")), "200");
    CHECK_EQ(names_below(s.work / "t"), Names{name});
  }
}

TEST_CASE("nothing is written through a link, whether it came before or was there") {
  TarScene s;
  for (const auto& target : Names{"../outside", s.canary.folder().native(), "real", ".", "..", "/"}) {
    INFO(target);
    for (const std::string below : {"evil", "canary", "nest/egg", "new/deep"}) {
      const auto name = std::string("link/") + below;
      CHECK_EQ(s.unpack(before().directory("real/").symlink("link", target).file(name, "evil").file("after", "x")),
               "400 invalid_request");
      CHECK_EQ(names_below(s.work / "t"), Names{"before", "link", "real"});
      CHECK(names_below(s.work / "t/real").empty());
      CHECK_EQ(s.unpack_more(before().file(name, "evil")), "400 invalid_request");
      CHECK_EQ(s.unpack_more(before().directory(name, 0777)), "400 invalid_request");
      CHECK_EQ(s.unpack_more(before().symlink(name, "x")), "400 invalid_request");
      CHECK_EQ(s.unpack_more(before().hard_link(name, "before")), "400 invalid_request");
    }
  }
}

TEST_CASE("an entry in the place of a link replaces it") {
  TarScene s;
  CHECK_EQ(s.unpack(TarWriter().symlink("link", "../outside/canary").file("link", "mine")), "200");
  CHECK_FALSE(is_link(s.work / "t/link"));
  CHECK_EQ(s.read("t/link"), "mine");
  CHECK_EQ(s.unpack(TarWriter().symlink("link", "../outside").symlink("link", "elsewhere")), "200");
  CHECK_EQ(link_text(s.work / "t/link"), "elsewhere");
}

TEST_CASE("a directory in the place of a link neither follows it nor changes what it stands for") {
  TarScene s;
  s.unpack(TarWriter().symlink("link", "../outside").directory("link/", 0777, 1).file("link/evil", "evil"));
  s.unpack(TarWriter().symlink("link", s.canary.folder().native()).directory("link", 0777, 1));
  s.unpack(TarWriter().directory("d/", 0777, 1).symlink("d", "../outside").directory("e/", 0755));
  s.unpack(TarWriter().directory("d/", 0777, 1).symlink("d/l", "../../outside").directory("d/l/", 0777, 1).file("d/l/x", "x"));
  CHECK(s.canary.untouched());
}

TEST_CASE("hard links lead neither outside nor through links") {
  TarScene s;
  for (const auto& target : Names{s.secret_file, "../outside/canary", "a/../../outside/canary", "..", "link/canary", "inner/x",
                                  "link/../outside/canary"}) {
    INFO(target);
    CHECK_EQ(s.unpack(before()
                          .directory("real/")
                          .file("real/x", "x")
                          .symlink("link", "../outside")
                          .symlink("inner", "real")
                          .hard_link("evil", target)),
             "400 invalid_request");
    CHECK_FALSE(present(s.work / "t/evil"));
  }
}

TEST_CASE("a hard link to a link does not give a way to write") {
  TarScene s;
  TarWriter twice = TarWriter().symlink("link", "../outside/canary").hard_link("hard", "link");
  s.unpack(TarWriter(twice).file("hard", "evil"));
  TarWriter with_content = twice;
  with_content.add({.name = "hard2", .type = '1', .content = "evil", .link = "link"});
  s.unpack(with_content);
  TarWriter over = TarWriter().file("file", "x").symlink("name", "../outside/canary");
  over.add({.name = "name", .type = '1', .content = "evil", .link = "file"});
  s.unpack(over);
  CHECK(s.canary.untouched());
}

TEST_CASE("a hard link to what is not there or to a directory is refused") {
  TarScene s;
  CHECK_EQ(s.unpack(before().hard_link("hard", "nothing")).substr(0, 1), "4");
  CHECK_EQ(s.unpack(before().directory("d/").hard_link("hard", "d")).substr(0, 1), "4");
  CHECK_FALSE(present(s.work / "t/hard"));
  CHECK_EQ(s.unpack(before().hard_link("before", "before")).substr(0, 1) == "5", false);
  CHECK_EQ(s.read("t/before"), "stays");
}

TEST_CASE("devices and pipes are refused") {
  TarScene s;
  for (const char type : {'3', '4', '6'}) {
    INFO(type);
    CHECK_EQ(s.unpack(before().add({.name = "node", .type = type}).file("after", "x")), "400 invalid_request");
    CHECK_EQ(names_below(s.work / "t"), Names{"before"});
  }
}

TEST_CASE("a file over a directory is 409 and the directory stays") {
  TarScene s;
  CHECK_EQ(s.unpack(TarWriter().file("d/inside", "x").file("d", "evil")), "409 conflict");
  CHECK_EQ(s.read("t/d/inside"), "x");
  CHECK_EQ(s.unpack(TarWriter().file("d/inside", "x").symlink("d", "../outside")), "409 conflict");
  CHECK_EQ(s.read("t/d/inside"), "x");
  CHECK_EQ(s.unpack(TarWriter().file("f", "x").file("f/below", "y")).substr(0, 1), "4");
  CHECK_EQ(s.read("t/f"), "x");
}

TEST_SUITE_END();
