#include "files/tar_reader.h"

#include <doctest/doctest.h>
#include <locale.h>

#include "files/tar_test_archive.h"

namespace sa::tar_test {
namespace {

const std::string latin = "caf\xE9";                 // not UTF-8
const std::string composed = "caf\u00E9";            // one character for the accented letter
const std::string decomposed = "cafe\u0301";         // two
const std::string broken = "\xC3(\xF0\x9F\xFF.txt";  // looks like UTF-8 for a while

std::string long_name(const std::string& last) { return std::string(90, 'd') + "/" + std::string(90, 'e') + "/" + last; }

bool damaged(const Scratch& scratch, const std::string& bytes) {
  const auto unpacked = scratch.unpack(bytes);
  return !unpacked && unpacked.error().code == ErrorCode::invalid_request && unpacked.error().detail.contains("damaged");
}

TEST_CASE("names are bytes in every variant of tar") {
  for (const std::string& name : {latin, composed, decomposed, broken, std::string("new\nline"), std::string("a\x80\xFE")}) {
    CAPTURE(name);
    const Scratch scratch;
    REQUIRE(scratch.unpack(Archive()
                               .file("ustar/" + name, "1")
                               .entry({.name = name, .prefix = "prefix"}, "2")
                               .entry({.name = "gnu/" + name, .magic = gnu_magic}, "3")
                               .gnu_long_name(long_name(name))
                               .entry({.name = "cut", .magic = gnu_magic}, "4")
                               .pax(pax_record("path", "pax/" + name))
                               .file("cut", "5")
                               .pax(pax_record("hdrcharset", "BINARY") + pax_record("path", "binary/" + name))
                               .file("cut", "6")
                               .end()));
    CHECK(scratch.read("ustar/" + name) == "1");
    CHECK(scratch.read("prefix/" + name) == "2");
    CHECK(scratch.read("gnu/" + name) == "3");
    CHECK(scratch.read(long_name(name)) == "4");
    CHECK(scratch.read("pax/" + name) == "5");
    CHECK(scratch.read("binary/" + name) == "6");
    CHECK(!std::filesystem::exists(scratch / "cut"));
  }
}

TEST_CASE("names do not depend on the thread's locale, which is the same afterwards") {
  const locale_t utf8 = ::newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
  if (!utf8) return;  // not on every machine
  const locale_t before = ::uselocale(utf8);
  const Scratch scratch;
  CHECK(scratch.unpack(Archive().pax(pax_record("path", decomposed)).file("cut").end()));
  CHECK(scratch.names() == Names{decomposed});
  CHECK(::uselocale(before) == utf8);
  ::freelocale(utf8);
}

TEST_CASE("the text of a symbolic link is bytes, however long") {
  const Scratch scratch;
  const std::string text = "../" + std::string(300, 't') + "/" + latin;
  REQUIRE(scratch.unpack(
      Archive().symlink("ustar", latin).pax(pax_record("linkpath", text)).symlink("pax", "cut").symlink("out", "/etc").end()));
  CHECK(std::filesystem::read_symlink(scratch / "ustar") == latin);
  CHECK(std::filesystem::read_symlink(scratch / "pax") == text);
  CHECK(std::filesystem::read_symlink(scratch / "out") == "/etc");
}

TEST_CASE("a pax header gives times in nanoseconds and sizes of its own") {
  const Scratch scratch;
  REQUIRE(scratch.unpack(Archive()
                             .pax(pax_record("mtime", "1234567890.123456789") + pax_record("size", "5"))
                             .raw(header_block({.name = "a", .size = 0}))
                             .raw(padded("five!"))
                             .file("b")
                             .end()));
  CHECK(scratch.read("a") == "five!");
  CHECK(scratch.look("a").st_mtim.tv_sec == 1'234'567'890);
  CHECK(scratch.look("a").st_mtim.tv_nsec == 123'456'789);
}

TEST_CASE("a global pax header and a volume label are no entries") {
  const Scratch scratch;
  REQUIRE(scratch.unpack(Archive()
                             .entry({.name = "label", .type = 'V', .magic = gnu_magic})
                             .entry({.name = "global", .type = 'g'}, pax_record("comment", "made by hand"))
                             .file("a")
                             .end()));
  CHECK(scratch.names() == Names{"a"});
}

TEST_CASE("a file whose name ends in a slash is a directory, as old writers meant it") {
  const Scratch scratch;
  REQUIRE(scratch.unpack(
      Archive().file("old/", "").pax(pax_record("path", composed + "/")).file("cut", "").file("old/a", "1").end()));
  CHECK(scratch.names() == Names{composed, "old", "old/a"});
  CHECK(std::filesystem::is_directory(scratch / composed));
}

TEST_CASE("an archive that is cut within an entry is refused, and nothing of that entry is left") {
  const std::string bytes = Archive().file("a").file("b/c", std::string(5'000, 'b')).endless();
  for (const std::size_t missing : {1u, 512u, 3'000u, 5'119u, 5'120u, 5'121u}) {
    CAPTURE(missing);
    const Scratch scratch;
    CHECK(damaged(scratch, bytes.substr(0, bytes.size() - missing)));
    CHECK(scratch.names() == Names{"a"});
  }
}

TEST_CASE("an archive that ends after an entry without an end mark is taken, as other readers do") {
  const Scratch scratch;
  CHECK(scratch.unpack(Archive().file("a").endless()));
  CHECK(scratch.names() == Names{"a"});
}

TEST_CASE("a broken header is refused and not skipped") {
  std::string bytes = Archive().file("a").file("b").file("c").end();
  bytes[1'024] = 'x';  // the name of "b"; its checksum is wrong now
  const Scratch scratch;
  CHECK(damaged(scratch, bytes));
  CHECK(scratch.names() == Names{"a"});
}

TEST_CASE("a broken pax header is refused, for its entry would get the wrong name") {
  const Scratch scratch;
  CHECK(damaged(scratch, Archive().pax("999 path=b\n").file("cut").end()));
  CHECK(damaged(scratch, Archive().pax("nonsense").file("cut").end()));
  CHECK(damaged(scratch, Archive().pax(pax_record("GNU.sparse.map", "1,2,x")).file("cut").end()));
  CHECK(damaged(scratch, Archive().pax(pax_record("path", "b")).end()));
  CHECK(scratch.names().empty());
}

TEST_CASE("a size that makes no sense is refused") {
  std::string negative = header_block({.name = "a"});
  put(negative, 124, std::string(12, '\xFF'));
  const Scratch scratch;
  CHECK(damaged(scratch, Archive().raw(summed(negative)).end()));
  CHECK(damaged(scratch, Archive().pax(pax_record("size", "99999999999999999999")).file("a").end()));
  CHECK(scratch.names().empty());
}

TEST_CASE("headers that do not end are refused before they fill the memory") {
  std::string map(512, '\0');
  for (std::size_t at = 0; at < 21; ++at) put(map, at * 24, "00000000000 00000000000");
  map[504] = '1';  // another such block follows
  std::string sparse = header_block({.name = "a", .type = 'S', .magic = gnu_magic});
  put(sparse, 386, "00000000000 00000000000");
  sparse[482] = '1';
  std::string bytes = summed(sparse);
  while (bytes.size() < (32u << 20)) bytes += map;
  const Scratch scratch;
  CHECK(damaged(scratch, zstd(bytes)));
  CHECK(scratch.names().empty());
}

}  // namespace
}  // namespace sa::tar_test
