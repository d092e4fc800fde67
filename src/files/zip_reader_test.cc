#include "files/zip_reader.h"

#include <doctest/doctest.h>

#include "files/tar_test_archive.h"
#include "files/tar_writer.h"
#include "files/zip_test_archive.h"

namespace sa {
namespace {

using tar_test::Names;
using zip_test::Entry;
using zip_test::Zip;

class Place : public tar_test::Scratch {
 public:
  Result<Unpacked> unpack(std::string_view bytes, TarLimits limits = {}, const StopFlag& stop = StopFlag{false}) const {
    write(outside() / "packed", bytes);
    const UniqueFd file(::open((outside() / "packed").c_str(), O_RDONLY | O_CLOEXEC));
    const TarTarget into{UniqueFd(::open(target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), target()};
    ZipReader entries(file.get(), "packed", stop);
    return TarWriter(into, TarTrust::foreign).write_all(entries, limits);
  }
  // Why it is not taken; empty when it is. Nothing may have been written then.
  std::string objection(std::string_view bytes) const {
    const auto unpacked = unpack(bytes);
    if (unpacked) return "";
    CHECK(unpacked.error().code == ErrorCode::invalid_request);
    CHECK(names().empty());
    return unpacked.error().detail;
  }
};

TEST_CASE("entries come with their content, kind, mode and time") {
  const Place place;
  const std::string large = std::string(500'000, 'x') + "end";
  const auto unpacked = place.unpack(Zip()
                                         .directory("d/", 0750)
                                         .file("d/stored", "content", 0640)
                                         .entry({.name = "d/deflated", .content = large, .deflated = true})
                                         .symlink("link", "d/stored")
                                         .file("empty", "")
                                         .file("caf\xE9")
                                         .end("a comment"));
  REQUIRE(unpacked);
  CHECK(unpacked->paths.size() == 6);
  CHECK(place.names() == Names{"caf\xE9", "d", "d/deflated", "d/stored", "empty", "link"});
  CHECK(place.read("d/stored") == "content");
  CHECK(place.read("d/deflated") == large);
  CHECK(place.read("empty").empty());
  CHECK(place.mode("d") == 0750);
  CHECK(place.mode("d/stored") == 0640);
  CHECK(place.look("d/stored").st_mtim.tv_sec == 967'809'600);
}

TEST_CASE("an entry without a Unix mode gets the usual one") {
  const Place place;
  REQUIRE(place.unpack(Zip()
                           .entry({.name = "d", .mode = 0, .system = 0, .attributes = 0x10})
                           .entry({.name = "e/", .mode = 0, .system = 0})
                           .entry({.name = "f", .content = "f", .mode = 0, .system = 11, .attributes = 0x20})
                           .entry({.name = "g", .content = "g", .mode = 0})
                           .end()));
  CHECK(place.mode("d") == 0755);
  CHECK(std::filesystem::is_directory(place / "e"));
  CHECK(place.mode("f") == 0644);
  CHECK(place.mode("g") == 0644);
}

TEST_CASE("sizes may follow the content, and numbers may have 64 bits") {
  const Place place;
  const Zip zip = Zip()
                      .entry({.name = "a", .content = "stored", .descriptor = true})
                      .entry({.name = "b", .content = std::string(5'000, 'b'), .deflated = true, .descriptor = true})
                      .entry({.name = "c", .content = "large", .large = true})
                      .entry({.name = "d", .content = std::string(5'000, 'd'), .deflated = true, .large = true});
  for (const std::string& bytes : {zip.end(), zip.end64()}) {
    REQUIRE(place.unpack(bytes));
    CHECK(place.read("a") == "stored");
    CHECK(place.read("b") == std::string(5'000, 'b'));
    CHECK(place.read("c") == "large");
    CHECK(place.read("d") == std::string(5'000, 'd'));
  }
}

TEST_CASE("names that lead out, or would elsewhere, are refused") {
  const Place place;
  for (const std::string& name : {"/absolute", "../a", "a/../../b", "..", "a\\b", "..\\a", "C:a", "c:/a", "C:\\a", "", "."}) {
    CAPTURE(name);
    CHECK(place.objection(Zip().file(name).end()).contains("is not taken"));
  }
  CHECK(place.objection(Zip().file(std::string("a\0b", 3)).end()).contains("NUL"));
  CHECK(place.objection(Zip().directory("../d/").end()).contains("'..'"));
}

TEST_CASE("devices, pipes and sockets are refused") {
  const Place place;
  for (const unsigned type : {0020000u, 0060000u, 0010000u, 0140000u})
    CHECK(place.objection(Zip().entry({.name = "a", .mode = type | 0644}).end()).contains("neither a file"));
}

TEST_CASE("links to nothing, to names with NUL and to endless names are refused") {
  const Place place;
  CHECK(place.objection(Zip().symlink("l", "").end()).contains("to nothing"));
  CHECK(place.objection(Zip().symlink("l", std::string("..\0/x", 5)).end()).contains("NUL"));
  CHECK(place.objection(Zip().symlink("l", std::string(5'000, 'l')).end()).contains("longer"));
}

TEST_CASE("what is encrypted or compressed otherwise is refused in words") {
  const Place place;
  CHECK(place.objection(Zip().entry({.name = "a", .content = "secret", .flags = 1}).end()).contains("it is encrypted"));
  CHECK(place.objection(Zip().entry({.name = "a", .content = "secret", .flags = 0x41}).end()).contains("it is encrypted"));
  CHECK(place.objection(Zip().entry({.name = "a", .content = "lzma", .method = 14}).end()).contains("method 14"));
}

TEST_CASE("a wrong checksum is refused, and nothing of the entry stays") {
  const Place place;
  for (const bool deflated : {false, true}) {
    const Entry wrong{.name = "d/a", .content = "content", .deflated = deflated, .crc = 12'345};
    CHECK(place.objection(Zip().entry(wrong).end()).contains("checksum is wrong"));
  }
  CHECK(place.objection(Zip().entry({.name = "a", .crc = 1}).end()).contains("damaged"));
  CHECK(
      place.objection(Zip().entry({.name = "l", .content = "x", .mode = S_IFLNK | 0777, .crc = 1}).end()).contains("checksum"));
}

TEST_CASE("sizes that are not true are refused") {
  const Place place;
  const std::string content(1'000, 'c');
  for (const std::int64_t size : {0, 999, 1'001, 1 << 20})
    CHECK(!place.objection(Zip().entry({.name = "a", .content = content, .deflated = true, .size = size}).end()).empty());
  for (const std::int64_t size : {std::int64_t{1'001}, std::int64_t{1} << 32, std::int64_t{1} << 62, INT64_MAX})
    CHECK(!place.objection(Zip().entry({.name = "a", .content = content, .large = true, .size = size}).end()).empty());
  CHECK(place.objection(Zip().entry({.name = "d/", .content = content, .mode = S_IFDIR | 0755}).end()).contains("directory"));
}

TEST_CASE("a place in the file that is not true is refused") {
  const Place place;
  for (const std::int64_t offset : {std::int64_t{1}, std::int64_t{50}, std::int64_t{1} << 40, INT64_MAX})
    CHECK(!place.objection(Zip().entry({.name = "a", .content = "content", .large = true, .offset = offset}).end()).empty());
  CHECK(!place.objection(Zip().entry({.name = "a", .content = "content", .local_name = "b"}).end()).empty());
}

TEST_CASE("a file cut anywhere is refused as a whole") {
  const std::string whole = Zip()
                                .file("a", std::string(1'000, 'a'))
                                .entry({.name = "b", .content = std::string(9'000, 'b'), .deflated = true})
                                .directory("c/")
                                .end64();
  const Place place;
  for (std::size_t part = 0; part < 8; ++part) CHECK(!place.objection(whole.substr(0, whole.size() * part / 8)).empty());
  for (std::size_t cut = 1; cut < 200; ++cut) CHECK(!place.objection(whole.substr(0, whole.size() - cut)).empty());
}

TEST_CASE("bytes before the directory may not be taken twice") {
  Zip zip;
  zip.entry({.name = "a", .content = std::string(100'000, 'a'), .deflated = true});
  zip.entry({.name = "a", .content = std::string(100'000, 'a'), .deflated = true, .offset = 0});
  const Place place;
  CHECK(place.unpack(zip.end()));  // there is room for both
  std::string shared = zip.end();
  const std::size_t second = shared.find("PK\3\4", 4), directory = shared.find("PK\1\2");
  const std::string removed = shared.substr(second, directory - second);
  shared.erase(second, removed.size());
  shared.replace(shared.size() - 6, 4, zip_test::number(second, 4));
  const auto unpacked = place.unpack(shared);
  REQUIRE(!unpacked);
  CHECK(unpacked.error().detail.contains("damaged"));
}

TEST_CASE("the limit counts content and directory, and is reached before an entry is written") {
  const Place place;
  const std::string bomb = Zip().file("a").entry({.name = "b", .content = std::string(4u << 20, '\0'), .deflated = true}).end();
  CHECK(bomb.size() < 10'000);
  CHECK(place.unpack(bomb, {.max_unpacked_bytes = 1u << 20}).error().code == ErrorCode::payload_too_large);
  CHECK(place.names() == Names{"a"});
  CHECK(place.unpack(bomb, {.max_unpacked_bytes = 5u << 20}));

  Zip many;
  for (int i = 0; i < 100; ++i) many.file("e", "");
  CHECK(place.unpack(many.end(), {.max_unpacked_bytes = 4'000}).error().code == ErrorCode::payload_too_large);

  const std::string huge = Zip().entry({.name = "h", .content = "h", .deflated = true, .large = true, .size = INT64_MAX}).end();
  CHECK(place.unpack(huge, {.max_unpacked_bytes = 1u << 20}).error().code == ErrorCode::payload_too_large);
}

TEST_CASE("reading ends when the daemon does") {
  const Place place;
  const auto unpacked = place.unpack(Zip().file("a").end(), {}, StopFlag{true});
  CHECK(unpacked.error().code == ErrorCode::overloaded);
  CHECK(place.names().empty());
}

TEST_CASE("no byte of a zip file can be changed so that something outside is touched or the reader fails otherwise") {
  const std::string whole = Zip()
                                .file("a", "stored")
                                .entry({.name = "d/b", .content = std::string(300, 'b'), .deflated = true})
                                .symlink("d/l", "../a")
                                .end64();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const Place place;
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    const auto unpacked = place.unpack(changed);
    if (!unpacked) CHECK(unpacked.error().code == ErrorCode::invalid_request);
  }
}

}  // namespace
}  // namespace sa
