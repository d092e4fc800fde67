#include "files/tar_header.h"

#include <doctest/doctest.h>

#include "files/tar_test_archive.h"

namespace sa {
namespace {

TEST_CASE("an entry that fits has one block, which others write alike") {
  CHECK(tar_header(TarKind::file, "a", "", 0644, 7) == tar_test::header_block({.name = "a", .size = 7, .modified = 0}));
  CHECK(tar_header(TarKind::directory, "d/", "", 0755, 0) ==
        tar_test::header_block({.name = "d/", .type = '5', .mode = 0755, .modified = 0}));
  CHECK(tar_header(TarKind::symlink, std::string(100, 'l'), std::string(100, 't'), 0777, 0) ==
        tar_test::header_block(
            {.name = std::string(100, 'l'), .type = '2', .mode = 0777, .modified = 0, .link = std::string(100, 't')}));
}

TEST_CASE("what does not fit stands in a pax header before it") {
  const std::string name(101, 'n');
  CHECK(tar_header(TarKind::file, name, "", 0644, 0).contains("111 path=" + name + "\n"));
  CHECK(tar_header(TarKind::symlink, "l", name, 0777, 0).contains("115 linkpath=" + name + "\n"));
  CHECK(tar_header(TarKind::file, name + "\xE9", "", 0644, 0).contains("21 hdrcharset=BINARY\n"));
  CHECK(tar_header(TarKind::file, "a", "", 0644, 8'589'934'591).size() == 512);
  CHECK(tar_header(TarKind::file, "a", "", 0644, 8'589'934'592).contains("19 size=8589934592\n"));
}

TEST_CASE("a file of more than 8 GiB is announced as such") {
  const tar_test::Scratch scratch;
  const std::uint64_t size = 9'000'000'000;
  const auto unpacked = scratch.unpack(tar_header(TarKind::file, "a", "", 0644, size),
                                       {.max_unpacked_bytes = size});  // the header is one too many
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::payload_too_large);
}

TEST_CASE("content is filled up to whole blocks") {
  CHECK(tar_padding(0).empty());
  CHECK(tar_padding(1).size() == 511);
  CHECK(tar_padding(512).empty());
  CHECK(tar_padding(std::uint64_t{1} << 40 | 5).size() == 507);
}

}  // namespace
}  // namespace sa
