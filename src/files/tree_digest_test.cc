#include "files/tree_digest.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <utime.h>

#include "base/scratch_folder.h"
#include "base/sha256.h"
#include "base/unique_fd.h"

namespace sa {
namespace {

const StopFlag never{false};

Result<std::string> try_digest(const ScratchFolder& folder, const StopFlag& stop = never) {
  const UniqueFd directory(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return tree_digest(directory.get(), folder.path(), stop);
}

std::string digest(const ScratchFolder& folder) {
  auto found = try_digest(folder);
  REQUIRE(found);
  return *found;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

TEST_CASE("the digest is that of the records in the order that is documented") {
  const ScratchFolder folder;
  CHECK(digest(folder) == sha256(""));
  folder.write("b/a", "content");
  folder.write("b.txt", "", 0600);
  folder.write("b/\xFF", std::string(600'000, 'x'), 0700);
  folder.link("a", "b/a");
  folder.directory("z");
  const std::string records = "l " + sha256("b/a") + " a" + '\0' + "d b" + '\0' + "f " + sha256("content") + " b/a" + '\0' +
                              "x " + sha256(std::string(600'000, 'x')) + " b/\xFF" + '\0' + "f " + sha256("") + " b.txt" +
                              '\0' + "d z" + '\0';
  CHECK(digest(folder) == sha256(records));
}

TEST_CASE("times and other permissions do not count; names, content, links and what can be run do") {
  const ScratchFolder folder;
  folder.write("a", "content");
  folder.link("l", "a");
  const std::string before = digest(folder);
  const utimbuf long_ago{.actime = 1, .modtime = 1};
  REQUIRE(::utime(folder.at("a").c_str(), &long_ago) == 0);
  folder.write("a", "content", 0600);
  CHECK(digest(folder) == before);

  folder.write("a", "content", 0700);
  CHECK(digest(folder) != before);
  folder.write("a", "Content", 0600);
  CHECK(digest(folder) != before);
  folder.write("a", "content", 0600);
  folder.directory("d");
  CHECK(digest(folder) != before);
  std::filesystem::remove(folder.at("d"));
  CHECK(digest(folder) == before);
  std::filesystem::remove(folder.at("l"));
  folder.link("l", "b");
  CHECK(digest(folder) != before);
  std::filesystem::remove(folder.at("l"));
  folder.write("l", "a");
  CHECK(digest(folder) != before);
}

TEST_CASE("a link is not followed, wherever it leads") {
  const ScratchFolder folder, other;
  folder.link("l", other.path());
  const std::string before = digest(folder);
  other.write("new", "");
  CHECK(digest(folder) == before);
}

TEST_CASE("a special file is refused by its path, and the wish to stop is heard") {
  const ScratchFolder folder;
  folder.directory("d");
  REQUIRE(::mkfifo(folder.at("d/pipe").c_str(), 0600) == 0);
  const auto refused = try_digest(folder);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::conflict);
  CHECK(refused.error().detail.contains(folder.at("d/pipe")));
  CHECK(try_digest(folder, StopFlag{true}).error().code == ErrorCode::overloaded);
}

}  // namespace
}  // namespace sa
