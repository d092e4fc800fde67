#include "files/unpack.h"

#include <bzlib.h>
#include <doctest/doctest.h>

#include "files/tar_test_archive.h"
#include "files/zip_test_archive.h"

namespace sa {
namespace {

using tar_test::Archive;
using tar_test::Names;
using zip_test::Zip;

// A target to unpack in.
class Place : public tar_test::Scratch {
 public:
  Result<void> unpack(std::string_view bytes, TarLimits limits = {}, const StopFlag& stop = StopFlag{false}) const {
    write(outside() / "packed", bytes);
    const UniqueFd file(::open((outside() / "packed").c_str(), O_RDONLY | O_CLOEXEC));
    ::lseek(file.get(), 3, SEEK_SET);
    const TarTarget into{UniqueFd(::open(target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), target()};
    return sa::unpack(file.get(), into, "tool", limits, stop);
  }
  // True when it is not taken and nothing was written.
  bool refuses(std::string_view bytes) const {
    const auto unpacked = unpack(bytes);
    return !unpacked && unpacked.error().code == ErrorCode::invalid_request && names().empty();
  }
};

std::string bzip2(std::string bytes) {
  std::string out(bytes.size() + bytes.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  REQUIRE(::BZ2_bzBuffToBuffCompress(out.data(), &size, bytes.data(), static_cast<unsigned>(bytes.size()), 1, 0, 0) == BZ_OK);
  return out.substr(0, size);
}

TEST_CASE("what a file is shows in its first bytes") {
  const std::string tar = Archive().file("a").end();
  for (const std::string& bytes : {tar, tar_test::gzip(tar), tar_test::zstd(tar), bzip2(tar), bzip2(""), std::string(512, '\0'),
                                   Archive().file("BZh91").end()})
    CHECK(packed_kind(bytes.substr(0, 512)) == PackedKind::tar);
  CHECK(packed_kind(Zip().file("a").end()) == PackedKind::zip);
  CHECK(packed_kind(Zip().end()) == PackedKind::zip);
  for (const std::string& bytes : {std::string(), std::string("#!/bin/sh\n"),
                                   "\x7F"
                                   "ELF" +
                                       std::string(508, '\1'),
                                   std::string("BZh91 is a word"), std::string("PK")})
    CHECK(packed_kind(bytes) == PackedKind::program);
}

TEST_CASE("an archive is unpacked whatever its format and its compression, from its beginning") {
  const std::string tar = Archive().directory("d").file("d/a", std::string(300'000, 'a'), 06755).symlink("l", "d/a").end();
  const std::string zip =
      Zip()
          .directory("d/")
          .entry({.name = "d/a", .content = std::string(300'000, 'a'), .mode = S_IFREG | 06755, .deflated = true})
          .symlink("l", "d/a")
          .end();
  for (const std::string& bytes : {tar, tar_test::gzip(tar), tar_test::zstd(tar), bzip2(tar), zip}) {
    const Place place;
    REQUIRE(place.unpack(bytes));
    CHECK(place.names() == Names{"d", "d/a", "l"});
    CHECK(place.read("d/a") == std::string(300'000, 'a'));
    CHECK(place.mode("d/a") == 0755);
    CHECK(std::filesystem::read_symlink(place / "l") == "d/a");
  }
}

TEST_CASE("only the owner may change what is unpacked, and can always remove it") {
  const std::string tar =
      Archive().directory("open", 01777).file("open/a", "a", 0666).directory("shut", 0500).file("shut/none", "n", 0).end();
  const Place place;
  REQUIRE(place.unpack(tar));
  CHECK(place.mode("open") == 0755);
  CHECK(place.mode("open/a") == 0644);
  CHECK(place.mode("shut") == 0700);
  CHECK(place.mode("shut/none") == 0600);
}

TEST_CASE("a program becomes executable under the name it is given") {
  const std::string program = "#!/bin/sh\n" + std::string(600'000, '#');
  const Place place;
  REQUIRE(place.unpack(program));
  CHECK(place.read("tool") == program);
  CHECK(place.mode("tool") == 0755);
  CHECK(place.names() == Names{"tool"});
}

TEST_CASE("a program is held to the limit, and stops") {
  const Place place;
  const std::string program = "#!" + std::string(100, '#');
  CHECK(place.unpack(program, {.max_unpacked_bytes = 101}).error().code == ErrorCode::payload_too_large);
  CHECK(place.unpack(program, {}, StopFlag{true}).error().code == ErrorCode::overloaded);
  CHECK(place.names().empty());
  CHECK(place.unpack(program, {.max_unpacked_bytes = 102}));
}

TEST_CASE("an empty file and formats that are not unpacked are refused in words") {
  const Place place;
  CHECK(place.refuses(""));
  CHECK(place.refuses(std::string("\xFD\x37zXZ\0", 6) + "rest"));
  CHECK(place.unpack("7z\xBC\xAF\x27\x1C").error().detail.contains("7-zip"));
  CHECK(place.refuses(tar_test::gzip("a program, not a tar archive")));
}

TEST_CASE("a bzip2 stream that is cut, broken or grows beyond the limit is refused, one in parts is not") {
  const std::string tar = Archive().file("a", std::string(3'000, 'a')).end();
  const std::string whole = bzip2(tar);
  for (std::size_t part = 1; part < 8; ++part) {
    const Place place;
    CHECK(place.refuses(whole.substr(0, whole.size() * part / 8)) == (whole.size() * part / 8 >= 10));
  }
  const Place place;
  std::string broken = whole;
  broken[whole.size() / 2] = static_cast<char>(~broken[whole.size() / 2]);
  CHECK(place.refuses(broken));
  CHECK(place.unpack(bzip2(std::string(16u << 20, '\0')), {.max_unpacked_bytes = 1u << 20}).error().code ==
        ErrorCode::payload_too_large);
  CHECK(place.unpack(bzip2(tar.substr(0, 700)) + bzip2(tar.substr(700)) + std::string(100, '\0')));
  CHECK(place.read("a") == std::string(3'000, 'a'));
}

TEST_CASE("a symbolic link that may lead out of the target is refused, in every format") {
  for (const std::string& text : {"/etc", "..", "../outside", "a/../..", "./..", "a/..", "//"}) {
    CAPTURE(text);
    const Place place;
    CHECK(place.refuses(Archive().symlink("l", text).end()));
    CHECK(place.refuses(Zip().symlink("l", text).end()));
    CHECK(place.refuses(Zip().symlink("d/l", "../" + text).end()) == !text.starts_with("/"));
  }
}

TEST_CASE("a symbolic link that stays inside is kept, also one to nothing") {
  for (const std::string& text : {"..", "../x", "./../x/./y", "missing", "../../x", ".", "x..", "..."}) {
    CAPTURE(text);
    const Place place;
    CHECK(place.unpack(Archive().symlink("d/e/l", text).end()));
    CHECK(place.unpack(Zip().symlink("d/f/l", text).end()));
    CHECK(std::filesystem::read_symlink(place / "d/e/l") == text);
    CHECK(std::filesystem::read_symlink(place / "d/f/l") == text);
  }
}

TEST_CASE("a hard link does not take a symbolic link to where it leads out") {
  const Place place;
  const auto unpacked = place.unpack(Archive().symlink("d/e/l", "../../x").hard_link("l", "d/e/l").end());
  CHECK(unpacked.error().code == ErrorCode::invalid_request);
  CHECK(place.unpack(Archive().symlink("d/e/l", "../../x").hard_link("d/f/l", "d/e/l").end()));
  CHECK(place.names() == Names{"d", "d/e", "d/e/l", "d/f", "d/f/l"});
}

TEST_CASE("nothing is written through a link, in every format") {
  for (const std::string& bytes : {Archive().symlink("l", "d").file("l/a").end(), Zip().symlink("l", "d").file("l/a").end()}) {
    const Place place;
    CHECK(place.unpack(bytes).error().code == ErrorCode::invalid_request);
    CHECK(place.names() == Names{"l"});
  }
}

TEST_CASE("archives without entries or of directories only are fine") {
  for (const std::string& bytes : {std::string(1'024, '\0'), Zip().end(), bzip2(std::string(1'024, '\0'))}) {
    const Place place;
    CHECK(place.unpack(bytes));
    CHECK(place.names().empty());
  }
  for (const std::string& bytes :
       {Archive().directory("a/b", 0700).directory("c").end(), Zip().directory("a/b/", 0700).directory("c/").end()}) {
    const Place place;
    CHECK(place.unpack(bytes));
    CHECK(place.names() == Names{"a", "a/b", "c"});
    CHECK(place.mode("a/b") == 0700);
  }
}

TEST_CASE("of two entries with one name the later one stays, in every format") {
  for (const std::string& bytes : {Archive().file("a", "1").file("a", "2").end(), Zip().file("a", "1").file("a", "2").end()}) {
    const Place place;
    CHECK(place.unpack(bytes));
    CHECK(place.read("a") == "2");
    CHECK(place.names() == Names{"a"});
  }
}

}  // namespace
}  // namespace sa
