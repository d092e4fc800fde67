#include "files/listing.h"

#include <doctest/doctest.h>

#include "base/scratch_folder.h"

namespace sa {
namespace {

std::vector<std::string> names(Listing& listing) {
  std::vector<std::string> all;
  while (const auto entry = listing.next()) all.emplace_back(entry->name);
  return all;
}

struct Shelf {
  ScratchFolder folder;
  FileRoot root = std::move(*FileRoot::open(folder.path(), Confined::no));
};

}  // namespace

TEST_CASE("entries are sorted by the bytes of their names") {
  const Shelf shelf;
  for (const char* name : {"b", "a", "B", "é", "a.b", "\xff"}) shelf.folder.write(name, "");
  auto listing = Listing::of(shelf.root.top());
  REQUIRE(listing);
  CHECK(names(*listing) == std::vector<std::string>{"B", "a", "a.b", "b", "é", "\xff"});
}

TEST_CASE("an entry is described without following it") {
  const Shelf shelf;
  shelf.folder.directory("dir");
  shelf.folder.write("file", "12345", 0640);
  shelf.folder.link("link", "nowhere");
  ::mkfifo(shelf.folder.at("pipe").c_str(), 0600);
  auto listing = Listing::of(shelf.root.top());
  REQUIRE(listing);
  const auto dir = listing->next(), file = listing->next(), link = listing->next(), pipe = listing->next();
  CHECK(dir->info.type == EntryType::directory);
  CHECK(file->info.type == EntryType::file);
  CHECK(file->info.size == 5);
  CHECK(file->info.mode == "0640");
  CHECK(!file->info.symlink);
  CHECK(link->info.symlink == "nowhere");
  CHECK(pipe->info.special == "fifo");
  CHECK(!listing->next());
}

TEST_CASE("what vanishes meanwhile is left out") {
  const Shelf shelf;
  shelf.folder.write("a", "");
  shelf.folder.write("b", "");
  auto listing = Listing::of(shelf.root.top());
  REQUIRE(listing);
  std::filesystem::remove(shelf.folder.at("a"));
  CHECK(names(*listing) == std::vector<std::string>{"b"});
}

TEST_CASE("a file has no entries") {
  const Shelf shelf;
  shelf.folder.write("file", "");
  CHECK(Listing::of(*shelf.root.guard("file")).error().code == ErrorCode::conflict);
  CHECK(Listing::of(*shelf.root.guard("missing")).error().code == ErrorCode::not_found);
}

TEST_CASE("a version changes with everything that can change") {
  struct stat file{};
  file.st_dev = 1;
  file.st_ino = 2;
  file.st_size = 3;
  const std::string before = etag_of(file);
  CHECK(before.starts_with('"'));
  CHECK(before.ends_with('"'));
  file.st_ctim.tv_nsec = 1;
  CHECK(etag_of(file) != before);
}

}  // namespace sa
