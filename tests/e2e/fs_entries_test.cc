#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "fs_scene.h"

using namespace rig;
using Names = std::vector<std::string>;

TEST_SUITE_BEGIN("fs");

TEST_CASE("a listing is sorted by the bytes of the names") {
  HomeScene s;
  for (const std::string name : {"b", "a", "B", "a.txt", "a-b", "ä", "Z", "10", "9", "~", ".hidden"}) s.write(name, "");
  const auto listing = s.files.list("w");
  CHECK_EQ(listing.status, 200);
  CHECK(listing.header("content-type").starts_with("application/json"));
  CHECK_EQ(names_in(listing), Names{".hidden", "10", "9", "B", "Z", "a", "a-b", "a.txt", "b", "~", "ä"});
}

TEST_CASE("a listing without a path is that of the root") {
  HomeScene s;
  const auto listing = s.files.request("GET", "/v1/fs/entries");
  REQUIRE_EQ(listing.status, 200);
  CHECK_EQ(text_in(entry_in(listing, "w"), "path"), s.work.native());
}

TEST_CASE("an entry has its name, absolute path, type, size and time") {
  HomeScene s;
  s.write("file", "12345");
  set_times(s.work / "file", {.tv_sec = 1'700'000'000, .tv_nsec = 0});
  std::filesystem::create_directory(s.work / "folder");
  const auto listing = s.files.list("w");
  const auto file = entry_in(listing, "file");
  CHECK_EQ(text_in(file, "path"), s.at("file"));
  CHECK_EQ(text_in(file, "entryType"), "file");
  CHECK_EQ(file.at("size").to_number<std::int64_t>(), 5);
  CHECK(text_in(file, "modified").starts_with("2023-11-14T22:13:20"));
  CHECK(is_utc_time(text_in(file, "modified")));
  CHECK_FALSE(file.as_object().contains("symlink"));
  const auto folder = entry_in(listing, "folder");
  CHECK_EQ(text_in(folder, "entryType"), "directory");
  CHECK_EQ(text_in(folder, "path"), s.at("folder"));
  CHECK(is_utc_time(text_in(folder, "modified")));
}

TEST_CASE("a listing is the same for a relative and an absolute path, with and without a slash at the end") {
  HomeScene s;
  s.write("folder/file", "x");
  for (const auto& path : Names{"w/folder", "w/folder/", "./w//folder", s.at("folder"), s.at("folder/")}) {
    INFO(path);
    const auto listing = s.files.list(path);
    REQUIRE_EQ(listing.status, 200);
    CHECK_EQ(names_in(listing), Names{"file"});
    CHECK_EQ(text_in(entry_in(listing, "file"), "path"), s.at("folder/file"));
  }
}

TEST_CASE("links are listed as links, wherever they lead") {
  HomeScene s;
  s.write("file", "12345");
  std::filesystem::create_directory(s.work / "folder");
  std::filesystem::create_symlink("file", s.work / "to-file");
  std::filesystem::create_symlink(s.work / "folder", s.work / "to-folder");
  std::filesystem::create_symlink("nowhere", s.work / "dangling");
  std::filesystem::create_symlink("itself", s.work / "itself");
  const auto listing = s.files.list("w");
  REQUIRE_EQ(listing.status, 200);
  CHECK_EQ(text_in(entry_in(listing, "to-file"), "symlink"), "file");
  CHECK_EQ(text_in(entry_in(listing, "to-folder"), "symlink"), s.at("folder"));
  CHECK_EQ(text_in(entry_in(listing, "dangling"), "symlink"), "nowhere");
  CHECK_EQ(text_in(entry_in(listing, "itself"), "symlink"), "itself");
  for (const auto& entry : parse_json(listing.body).as_array()) {
    const auto type = text_in(entry, "entryType");
    CHECK((type == "file" || type == "directory"));
  }
}

TEST_CASE("a link to a directory can be listed through") {
  HomeScene s;
  s.write("folder/file", "x");
  std::filesystem::create_symlink("folder", s.work / "link");
  CHECK_EQ(names_in(s.files.list("w/link")), Names{"file"});
}

TEST_CASE("an empty directory is an empty list") {
  HomeScene s;
  const auto listing = s.files.list("w");
  CHECK_EQ(listing.status, 200);
  CHECK_EQ(parse_json(listing.body), boost::json::array());
}

TEST_CASE("the listing of a file is 409, of nothing 404") {
  HomeScene s;
  s.write("file", "x");
  CHECK_EQ(problem_of(s.files.list("w/file")), "409 conflict");
  CHECK_EQ(problem_of(s.files.list("w/file/below")), "409 conflict");
  const auto missing = s.files.list("w/none");
  CHECK_EQ(problem_of(missing), "404 not_found");
  CHECK_NE(text_at(missing.body, "resource"), "");
  CHECK_NE(text_at(missing.body, "id"), "");
}

TEST_CASE("names with quotes, line ends and every script come back as they are") {
  HomeScene s;
  const Names odd = {"a\"b", "back\\slash", "line\nend", "tab\t", "\x01\x1f\x7f", "grüße 世界 😀",      "%41", "a+b c", " ",
                     "-rf",  "'; rm *",     "{\"a\":1}", "...",   "<script>",     std::string(255, 'n')};
  for (const auto& name : odd) s.write(name, "content of " + name);
  const auto listing = s.files.list("w");
  auto sorted = odd;
  std::ranges::sort(sorted);
  CHECK_EQ(names_in(listing), sorted);
  for (const auto& name : odd) {
    INFO(name);
    CHECK_EQ(s.files.download("w/" + name).body, "content of " + name);
    CHECK_EQ(text_in(entry_in(listing, name), "path"), s.at(name));
  }
}

TEST_CASE("a name that is not UTF-8 is listed in valid JSON and addressed by its bytes") {
  HomeScene s;
  const Names odd = {"\xff\xfe", "caf\xe9", "\xc0\xaf", "\xed\xa0\x80", "\xf0\x9f\x98"};
  for (const auto& name : odd) s.write(name, "content of " + name);
  std::filesystem::create_symlink("to \xff", s.work / "link");
  const auto listing = s.files.list("w");
  REQUIRE_EQ(listing.status, 200);
  CHECK_EQ(parse_json(listing.body).as_array().size(), odd.size() + 1);
  for (const auto& name : odd) {
    INFO(percent_encoded(name));
    CHECK_EQ(s.files.stat("w/" + name).status, 200);
    CHECK_EQ(s.files.download("w/" + name).body, "content of " + name);
    CHECK_EQ(s.files.upload("w/" + name, "new").status, 200);
    CHECK_EQ(s.read(name), "new");
    CHECK_EQ(s.files.remove("w/" + name).status, 200);
  }
  CHECK_EQ(names_below(s.work), Names{"link"});
}

TEST_CASE("an entry whose name is not UTF-8 says how to ask for it") {
  HomeScene s;
  s.write("caf\xe9", "content");
  s.write("plain", "x");
  const auto entries = parse_json(s.files.list("w").body).as_array();
  REQUIRE_EQ(entries.size(), 2);
  const auto escaped = text_in(entries[0], "escapedPath");
  CHECK_EQ(s.files.request("GET", Files::raw_target("file", escaped)).body, "content");
  CHECK_FALSE(entries[1].as_object().contains("escapedPath"));
}

TEST_CASE("every answer about a path that is not UTF-8 is valid JSON") {
  HomeScene s;
  for (const std::string name : {"caf\xe9", "none\xff/below", "\xc0\xae"}) {
    for (const auto& [route, answer] : every_route(s.files, percent_encoded("w/" + name), "")) {
      INFO(route, " ", percent_encoded(name));
      CHECK_LT(answer.status, 500);
      if (answer.header("content-type").contains("json")) CHECK_NOTHROW(parse_json(answer.body));
    }
  }
}

TEST_CASE("HEAD of a listing is its head") {
  HomeScene s;
  CHECK_EQ(s.files.request("HEAD", Files::target("entries", "w")).status, 200);
  CHECK_EQ(s.files.request("HEAD", Files::target("entries", "w/none")).status, 404);
}

TEST_CASE("a directory that changes while it is listed gives a valid list") {
  HomeScene s;
  const MemoryFolder memory;
  for (int i = 0; i < 30'000; ++i) write_file(memory.at("file-with-a-longer-name-" + std::to_string(100'000 + i)), "");
  auto connection = s.files.begin("GET", Files::target("entries", memory.path()), {}, {}, 4096);
  connection.readable_within(milliseconds(5000));
  for (int i = 0; i < 30'000; i += 2)
    std::filesystem::remove(memory.at("file-with-a-longer-name-" + std::to_string(100'000 + i)));
  const auto listing = connection.read_response(false, milliseconds(30'000));  // many small pieces
  REQUIRE_EQ(listing.status, 200);
  const auto names = names_in(listing);
  CHECK_GE(names.size(), 15'000);
  CHECK_LE(names.size(), 30'000);
  CHECK(std::ranges::is_sorted(names));
}

TEST_CASE("a client that leaves during a listing leaves nothing open") {
  HomeScene s;
  const MemoryFolder memory;
  for (int i = 0; i < 30'000; ++i) write_file(memory.at("file-with-a-longer-name-" + std::to_string(i)), "");
  auto connection = s.files.begin("GET", Files::target("entries", memory.path()), {}, {}, 4096);
  REQUIRE(connection.readable_within(milliseconds(5000)));
  connection.reset();
  CHECK(eventually([&] { return open_below(s.daemon.pid(), memory.path()).empty(); }));
}

TEST_CASE("a hundred thousand entries are listed piece by piece, and removed") {
  HomeScene s;
  const MemoryFolder memory;
  std::filesystem::create_directory(memory.at("wide"));
  constexpr int many = 100'000;
  const int folder = open(memory.at("wide").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  char name[64];
  for (int i = 0; i < many; ++i) {
    std::snprintf(name, sizeof name, "an-entry-with-a-name-of-some-length-%06d", i);
    if (mknodat(folder, name, S_IFREG | 0644, 0) != 0) FAIL("cannot make a file");
  }
  close(folder);
  forget_peak(s.daemon.pid());
  const auto before = peak_kib(s.daemon.pid());
  auto connection = s.files.begin("GET", Files::target("entries", memory.at("wide")));
  const auto listing = connection.read_response(false, milliseconds(20'000));
  REQUIRE_EQ(listing.status, 200);
  CHECK_EQ(listing.header("transfer-encoding"), "chunked");
  if (plain_build()) CHECK_LT(peak_kib(s.daemon.pid()) - before, 64 * 1024);
  const auto names = names_in(listing);
  CHECK_EQ(names.size(), many);
  CHECK(std::ranges::is_sorted(names));
  auto removal = s.files.begin("DELETE", Files::target("entry", memory.at("wide")) + "&recursive=true");
  CHECK_EQ(removal.read_response(false, milliseconds(20'000)).status, 200);
  CHECK_FALSE(present(memory.at("wide")));
}

TEST_SUITE_END();
