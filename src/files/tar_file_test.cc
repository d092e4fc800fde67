#include "files/tar_file.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>

#include <iterator>

#include "files/tar_test_archive.h"

namespace sa::tar_test {
namespace {

TEST_CASE("a file's mode is kept exactly, whatever the umask, but for set-user-id and set-group-id") {
  const mode_t before = ::umask(077);
  const Scratch scratch;
  const auto unpacked = scratch.unpack(Archive()
                                           .file("all", "1", 0777)
                                           .file("none", "2", 0)
                                           .file("read", "3", 0444)
                                           .file("set", "4", 06755)
                                           .file("sticky", "5", 01644)
                                           .end());
  ::umask(before);
  REQUIRE(unpacked);
  CHECK(scratch.mode("all") == 0777);
  CHECK(scratch.mode("none") == 0);
  CHECK(scratch.mode("read") == 0444);
  CHECK(scratch.mode("set") == 0755);
  CHECK(scratch.mode("sticky") == 01644);
}

TEST_CASE("a file's time is kept, also one long ago") {
  const Scratch scratch;
  REQUIRE(scratch.unpack(Archive().entry({.name = "a", .modified = 0}).entry({.name = "b", .modified = 1'700'000'000}).end()));
  CHECK(scratch.look("a").st_mtim.tv_sec == 0);
  CHECK(scratch.look("b").st_mtim.tv_sec == 1'700'000'000);
}

TEST_CASE("a file takes the place of a file or a link of its name and leaves others open to it alone") {
  const Scratch scratch;
  scratch.write(scratch / "file", "old");
  scratch.write(scratch.outside() / "kept", "kept");
  std::filesystem::create_symlink(scratch.outside() / "kept", scratch / "link");
  std::filesystem::create_hard_link(scratch.outside() / "kept", scratch / "shared");
  REQUIRE(::mkfifo((scratch / "fifo").c_str(), 0600) == 0);
  std::ifstream reader(scratch / "file");
  REQUIRE(scratch.unpack(Archive().file("file", "1").file("link", "2").file("shared", "3").file("fifo", "4").end()));
  CHECK(scratch.read("file") == "1");
  CHECK(scratch.read("link") == "2");
  CHECK(scratch.read("shared") == "3");
  CHECK(scratch.read("fifo") == "4");
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(scratch / "link")));
  CHECK(scratch.read("../outside/kept") == "kept");
  CHECK(std::string(std::istreambuf_iterator<char>(reader), {}) == "old");
  CHECK(scratch.names() == Names{"fifo", "file", "link", "shared"});
}

TEST_CASE("the same name twice in an archive is the later file") {
  const Scratch scratch;
  REQUIRE(scratch.unpack(Archive().file("a", "first", 0600).file("a", "second", 0640).end()));
  CHECK(scratch.read("a") == "second");
  CHECK(scratch.mode("a") == 0640);
}

TEST_CASE("an existing file is seen whole until the new one takes its place, and stays when that fails") {
  const Scratch scratch;
  scratch.write(scratch / "a", "old");
  const std::string bytes = Archive().file("a", std::string(10'000, 'n')).endless();
  Pieces pieces{.bytes = bytes.substr(0, 8'000), .piece = 1'000, .before_piece = [&] { CHECK(scratch.read("a") == "old"); }};
  CHECK(!scratch.unpack(pieces.next()));
  CHECK(scratch.read("a") == "old");
  CHECK(scratch.names() == Names{"a"});
}

TEST_CASE("a file does not take the place of a directory") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "a");
  const auto unpacked = scratch.unpack(Archive().file("a").end());
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::conflict);
  CHECK(scratch.names() == Names{"a"});
}

TEST_CASE("when there is no room nothing of the entry is left, nor of directories made for it") {
  const auto ignored = ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{.rlim_cur = 4u << 20, .rlim_max = before.rlim_max};
  const Scratch scratch;
  const std::string bytes = Archive().file("a").file("deep/er/large", std::string(8u << 20, 'l')).file("never").end();
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto unpacked = scratch.unpack(bytes);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  ::signal(SIGXFSZ, ignored);
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::no_space);
  CHECK(scratch.names() == Names{"a"});
}

// A file of `size` bytes with "data" at 0 and "more" at `second`, in the oldest and in the newest of GNU's ways.
std::string gnu_sparse(const std::string& name, std::uint64_t second, std::uint64_t size) {
  std::string header = header_block({.name = name, .type = 'S', .size = 8, .magic = gnu_magic});
  put(header, 386, fmt::format("{:011o} {:011o} {:011o} {:011o} ", 0, 4, second, 4));
  put(header, 483, fmt::format("{:011o} ", size));
  return summed(header) + padded("datamore");
}

std::string pax_sparse(const std::string& name, std::uint64_t second, std::uint64_t size) {
  const std::string map = padded(fmt::format("2\n0\n4\n{}\n4\n", second));
  return Archive()
      .pax(pax_record("GNU.sparse.major", "1") + pax_record("GNU.sparse.minor", "0") + pax_record("GNU.sparse.name", name) +
           pax_record("GNU.sparse.realsize", std::to_string(size)))
      .file("cut", map + "datamore")
      .endless();
}

TEST_CASE("holes stay holes, also at the end") {
  constexpr std::uint64_t second = 4u << 20, size = 8u << 20;
  const Scratch scratch;
  REQUIRE(
      scratch.unpack(Archive().raw(gnu_sparse("gnu", second, size)).raw(pax_sparse("pax", second, size)).file("after").end()));
  CHECK(scratch.names() == Names{"after", "gnu", "pax"});
  for (const std::string_view name : {"gnu", "pax"}) {
    const std::string content = scratch.read(name);
    REQUIRE(content.size() == size);
    CHECK(content.starts_with(std::string_view("data\0\0", 6)));
    CHECK(content.substr(second, 6) == std::string_view("more\0\0", 6));
    CHECK(scratch.look(name).st_blocks * 512 < (1 << 20));
  }
}

TEST_CASE("a map of holes that leads beyond the file is refused") {
  const Scratch scratch;
  const auto unpacked = scratch.unpack(Archive().raw(gnu_sparse("a", 1u << 30, 100)).end());
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::invalid_request);
  CHECK(scratch.names().empty());
}

TEST_CASE("the size of a sparse file counts with its holes") {
  const Scratch scratch;
  const auto unpacked = scratch.unpack(Archive().raw(gnu_sparse("a", 512, 1u << 30)).end(), {.max_unpacked_bytes = 1u << 20});
  REQUIRE(!unpacked);
  CHECK(unpacked.error().code == ErrorCode::payload_too_large);
  CHECK(scratch.names().empty());
}

}  // namespace
}  // namespace sa::tar_test
