// Archives that are damaged, endless, or not archives at all.
#include <doctest/doctest.h>
#include <sys/xattr.h>

#include "fs_scene.h"
#include "support/packed.h"
#include "support/tar_writer.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

constexpr std::uint64_t gibi = 1024ULL * 1024 * 1024;

std::string announcing(std::string_view name, std::uint64_t size) {
  return TarWriter().file("before", "stays").add({.name = std::string(name), .announced = size}).bytes();
}

}  // namespace

TEST_SUITE_BEGIN("fs_attacks");

TEST_CASE("a small archive that unpacks to much is stopped at the limit with 413") {
  HomeScene s({"--max-unpacked-bytes", "5000000"});
  for (const auto& [name, bomb] : {std::pair<std::string, std::string>{"gzip", gzip_bomb(announcing("bomb", gibi), 64'000'000)},
                                   {"zstd", zstd_bomb(announcing("bomb", gibi), gibi)},
                                   {"headers", gzip_bomb(TarWriter().file("before", "stays").bytes(), 64'000'000)}}) {
    INFO(name);
    REQUIRE_LT(bomb.size(), 500'000);
    const auto answer = s.files.unpack("w/" + name, bomb);
    if (name == "headers") {
      CHECK_EQ(answer.status / 100 == 5, false);  // zero blocks are the end of an archive: what follows may be read or not
    } else {
      CHECK_EQ(problem_of(answer), "413 payload_too_large");
      CHECK_EQ(number_at(answer.body, "limit"), 5'000'000);
    }
    CHECK_EQ(names_below(s.work / name), Names{"before"});
  }
}

TEST_CASE("the limit counts headers and names, not only files") {
  HomeScene s({"--max-unpacked-bytes", "100000"});
  TarWriter tar;
  for (int i = 0; i < 1000; ++i) tar.directory("d" + std::to_string(i) + "/");
  CHECK_EQ(problem_of(s.files.unpack("w/t", tar.finished())), "413 payload_too_large");
  CHECK_LT(names_below(s.work / "t").size(), 250);
  TarWriter fits;
  for (int i = 0; i < 50; ++i) fits.directory("d" + std::to_string(i) + "/");
  CHECK_EQ(s.files.unpack("w/u", fits.finished()).status, 200);
}

TEST_CASE("a plain archive over the limit is 413 and its last file is not there") {
  HomeScene s({"--max-unpacked-bytes", "100000"});
  const auto archive = TarWriter().file("small", "x").file("large", std::string(200'000, 'x')).finished();
  CHECK_EQ(problem_of(s.files.unpack("w/t", archive)), "413 payload_too_large");
  CHECK_EQ(names_below(s.work / "t"), Names{"small"});
}

TEST_CASE("memory does not grow with what an archive unpacks to") {
  HomeScene s;
  forget_peak(s.daemon.pid());
  const auto before = peak_kib(s.daemon.pid());
  const auto bomb =
      zstd_bomb(TarWriter().add({.name = "zeros", .announced = 256 * 1024 * 1024}).bytes(), 256 * 1024 * 1024 + 1024);
  CHECK_EQ(s.files.unpack("w/t", bomb).status, 200);
  if (plain_build()) CHECK_LT(peak_kib(s.daemon.pid()) - before, 32 * 1024);
  CHECK_EQ(status_of(s.work / "t/zeros").st_size, 256 * 1024 * 1024);
}

TEST_CASE("an archive that breaks off is 400, whole entries stay and nothing of the broken one") {
  HomeScene s;
  const auto archive = TarWriter().file("before", "stays").file("broken", patterned(100'000)).finished();
  for (const std::size_t size : {51'536UL, 1'537UL, 1'536UL, 1'324UL}) {
    INFO(size);
    std::filesystem::remove_all(s.work / "t");
    CHECK_EQ(problem_of(s.files.unpack("w/t", archive.substr(0, size))), "400 invalid_request");
    CHECK_EQ(names_below(s.work / "t"), Names{"before"});
  }
  for (const auto& packed : {gzipped(archive), zstd_packed(archive)}) {
    std::filesystem::remove_all(s.work / "t");
    CHECK_EQ(problem_of(s.files.unpack("w/t", packed.substr(0, packed.size() / 2))), "400 invalid_request");
    CHECK_FALSE(present(s.work / "t/broken"));
  }
}

TEST_CASE("a wrong checksum in a header is 400") {
  HomeScene s;
  CHECK_EQ(problem_of(s.files.unpack("w/t", TarWriter().file("f", "x").spoil_checksum().finished())), "400 invalid_request");
  CHECK_EQ(problem_of(s.files.unpack("w/u", TarWriter().file("before", "").file("f", "x").spoil_checksum().finished())),
           "400 invalid_request");
  CHECK(names_below(s.work / "t").empty());
  CHECK_EQ(names_below(s.work / "u"), Names{"before"});
}

TEST_CASE("damaged compression is 400") {
  HomeScene s;
  const auto archive = TarWriter().file("before", "stays").file("file", patterned(300'000)).finished();
  for (auto packed : {gzipped(archive), zstd_packed(archive)}) {
    packed[packed.size() / 2] ^= 0x55;
    packed.resize(packed.size() - 3);
    CHECK_EQ(problem_of(s.files.unpack("w/t", packed)), "400 invalid_request");
  }
  auto wrong_sum = gzipped(archive);
  wrong_sum[wrong_sum.size() - 8] ^= 1;
  const auto status = s.files.unpack("w/u", wrong_sum).status;
  CHECK((status == 400 || status == 200));  // the archive had ended before its checksum
}

TEST_CASE("what is not a tar is 400") {
  HomeScene s;
  const std::string zip("PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\x83\x16\xdc\x8c\x01\0\0\0\x01\0\0\0\x01\0\0\0fx", 32);
  const std::string cpio = "070701" + std::string(104, '0') + "name" + std::string(600, '\0');
  for (const auto& body : {std::string(), zip, std::string("hello"), patterned(100'000), std::string(511, 'x'), cpio,
                           std::string("\x1f\x8b", 2), std::string("\x28\xb5\x2f\xfd", 4), gzipped("not a tar, only text"),
                           std::string("!<arch>\nname/           0           0     0     644     1         `\nx\n"),
                           std::string("#mtree\nfile type=file mode=0644\n"),
                           std::string("\xfd"
                                       "7zXZ\0",
                                       6)}) {
    INFO(body.substr(0, 8));
    CHECK_EQ(problem_of(s.files.unpack("w/t", body)), "400 invalid_request");
    CHECK(names_below(s.work / "t").empty());
  }
}

TEST_CASE("names too long for the disk are 400") {
  HomeScene s;
  std::string deep;
  while (deep.size() < 5000) deep += std::string(100, 'd') + "/";
  for (const auto& name :
       Names{std::string(5000, 'n'), std::string(300, 'n'), deep + "file", "d/" + std::string(256, 'n') + "/f"}) {
    INFO(name.size());
    CHECK_EQ(problem_of(s.files.unpack("w/t", TarWriter().file("before", "").pax({{"path", name}}).file("x", "x").finished())),
             "400 invalid_request");
    CHECK_EQ(problem_of(s.files.unpack("w/t", TarWriter().file("before", "").file(name, "x").finished())),
             "400 invalid_request");
  }
  CHECK_EQ(problem_of(s.files.unpack("w/u", TarWriter().symlink("l", std::string(5000, 'l')).finished())),
           "400 invalid_request");
}

TEST_CASE("names that are not UTF-8 are kept, and the answer is valid JSON") {
  HomeScene s;
  const Names odd = {"caf\xe9", "\xc0\xae\xc0\xae", "\xff\xfe", std::string(150, '\xe9')};
  for (const auto& name : odd) {
    const auto answer = s.files.unpack("w/t", TarWriter().file(name, name).symlink("link", name).finished());
    REQUIRE_EQ(answer.status, 200);
    CHECK_EQ(texts_at(answer.body, "paths").size(), 2);
    CHECK_EQ(s.read("t/" + name), name);
    CHECK_EQ(link_text(s.work / "t/link"), name);
  }
}

TEST_CASE("of entries with the same name the last stays") {
  HomeScene s;
  const auto tar = TarWriter().file("f", "first", 0644).file("f", "second", 0600).symlink("f", "x").file("f", "last", 0640);
  REQUIRE_EQ(s.files.unpack("w/t", tar.finished()).status, 200);
  CHECK_EQ(s.read("t/f"), "last");
  CHECK_EQ(mode_of(s.work / "t/f"), 0640);
}

TEST_CASE("sizes beyond all numbers are refused") {
  HomeScene s;
  CHECK_EQ(s.files.unpack("w/t", announcing("f", (1ULL << 33U) - 1)).status, 400);
  CHECK_EQ(s.files.unpack("w/t", TarWriter().pax({{"size", "99999999999999999999999"}}).file("f", "x").finished()).status / 100,
           4);
  CHECK_EQ(s.files.unpack("w/t", TarWriter().pax({{"size", "-5"}}).file("f", "x").finished()).status / 100 == 5, false);
  CHECK_EQ(s.files.download("w/t/before").body, "stays");
}

TEST_CASE("headers that announce endless names are refused, in little memory") {
  HomeScene s;
  for (const char type : {'x', 'g', 'L', 'K'}) {
    INFO(type);
    forget_peak(s.daemon.pid());
    const auto before = peak_kib(s.daemon.pid());
    const auto start = TarWriter().add({.name = "long", .type = type, .announced = gibi}).bytes();
    const auto answer = s.files.unpack("w/t", zstd_bomb(start + "1073741824 path=", gibi));
    CHECK_EQ(answer.status / 100, 4);
    if (plain_build()) CHECK_LT(peak_kib(s.daemon.pid()) - before, 32 * 1024);
  }
}

TEST_CASE("attributes and rights in an archive are not taken over") {
  HomeScene s;
  const std::string capability("\1\0\0\2\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0", 20);
  TarWriter tar;
  tar.pax(
      {{"SCHILY.xattr.security.capability", capability}, {"SCHILY.xattr.user.name", "value"}, {"uid", "1"}, {"uname", "root"}});
  tar.file("program", "x", 0755);
  const auto answer = s.files.unpack("w/t", tar.finished());
  CHECK_EQ(answer.status, 200);
  CHECK_EQ(listxattr(s.at("t/program").c_str(), nullptr, 0), 0);
}

TEST_CASE("compressed archives may come in several members") {
  HomeScene s;
  const auto archive = TarWriter().file("one", patterned(10'000)).file("two", patterned(20'000)).finished();
  const auto first = archive.substr(0, 15'000);
  const auto second = archive.substr(15'000);
  for (const auto& packed : {gzipped(first) + gzipped(second), zstd_packed(first) + zstd_packed(second)}) {
    std::filesystem::remove_all(s.work / "t");
    CHECK_EQ(s.files.unpack("w/t", packed).status, 200);
    CHECK(s.read("t/one") == patterned(10'000));
    CHECK(s.read("t/two") == patterned(20'000));
  }
}

TEST_CASE("a client that vanishes during an archive leaves whole entries") {
  HomeScene s;
  const auto archive = TarWriter().file("before", "stays").file("broken", patterned(1'000'000)).finished();
  auto connection = s.files.begin_unpack("w/t", archive.size(), archive.substr(0, 500'000));
  REQUIRE(eventually([&] { return present(s.work / "t/before"); }));
  connection.reset();
  REQUIRE(eventually([&] { return open_below(s.daemon.pid(), s.work).empty(); }));
  CHECK_EQ(names_below(s.work / "t"), Names{"before"});
}

TEST_CASE("ten thousand empty directories are fine") {
  HomeScene s;
  const MemoryFolder memory;
  TarWriter tar;
  for (int i = 0; i < 10'000; ++i)
    tar.directory("d" + std::to_string(i % 100) + "/e" + std::to_string(i) + "/", 0711, 1'000'000 + i);
  REQUIRE_EQ(s.files.unpack(memory.at("t"), tar.finished()).status, 200);
  CHECK_EQ(names_below(memory.at("t")).size(), 100);
  CHECK_EQ(status_of(memory.at("t/d99/e9999")).st_mtim.tv_sec, 1'009'999);
  CHECK_EQ(mode_of(memory.at("t/d99/e9999")), 0711);
}

TEST_SUITE_END();
