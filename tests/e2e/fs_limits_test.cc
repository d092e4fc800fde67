// Time-outs, shutdowns and settings of the file API.
#include <doctest/doctest.h>
#include <signal.h>

#include "command_run.h"
#include "fs_scene.h"
#include "server_run.h"
#include "support/tar_writer.h"

using namespace rig;
using Names = std::vector<std::string>;

namespace {

bool nothing_open(const HomeScene& s) {
  return eventually([&] { return open_below(s.daemon.pid(), s.work).empty(); });
}

void make_large(const HomeScene& s) {
  s.write("large", "");
  std::filesystem::resize_file(s.work / "large", 100'000'000);
}

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("an upload that stands still is 408 and leaves nothing") {
  HomeScene s({"--body-timeout-ms", "200"});
  auto sized = s.files.begin_upload("w/file", 1'000'000, "some");
  auto chunked = s.files.begin("PUT", Files::target("file", "w/file"), {{"Transfer-Encoding", "chunked"}});
  chunked.send("4\r\nsome\r\n");
  CHECK_EQ(problem_of(sized.read_response()), "408 request_timeout");
  CHECK_EQ(problem_of(chunked.read_response()), "408 request_timeout");
  CHECK(sized.closed_within(milliseconds(5000)));
  CHECK(nothing_open(s));
  CHECK(names_below(s.work).empty());
}

TEST_CASE("an upload that comes slowly but steadily is not cut") {
  HomeScene s({"--body-timeout-ms", "4000"});
  auto connection = s.files.begin_upload("w/file", 12);
  for (int i = 0; i < 12; ++i) {
    CHECK_FALSE(connection.readable_unscaled(milliseconds(400)));
    connection.send("x");
  }
  CHECK_EQ(connection.read_response().status, 200);
  CHECK_EQ(s.read("file"), "xxxxxxxxxxxx");
}

TEST_CASE("an archive that stands still is 408, and its place is free again") {
  HomeScene s({"--body-timeout-ms", "200", "--max-archives", "1"});
  const auto archive = TarWriter().file("before", "stays").file("broken", patterned(100'000)).finished();
  auto connection = s.files.begin_unpack("w/t", archive.size(), archive.substr(0, 50'000));
  CHECK_EQ(problem_of(connection.read_response()), "408 request_timeout");
  CHECK(nothing_open(s));
  CHECK_EQ(names_below(s.work / "t"), Names{"before"});
  CHECK_EQ(s.files.unpack("w/t", archive).status, 200);
}

TEST_CASE("a download or a listing that nobody takes is cut") {
  HomeScene s({"--reader-timeout-ms", "200"});
  make_large(s);
  const MemoryFolder memory;
  for (int i = 0; i < 30'000; ++i) write_file(memory.at("file-with-a-longer-name-" + std::to_string(i)), "");
  auto download = s.files.narrow_download("w/large");
  auto listing = s.files.begin("GET", Files::target("entries", memory.path()), {}, {}, 4096);
  REQUIRE_EQ(download.read_head().status, 200);
  CHECK(nothing_open(s));
  CHECK(eventually([&] { return open_below(s.daemon.pid(), memory.path()).empty(); }));
}

TEST_CASE("a shutdown does not wait for a large removal") {
  HomeScene s;
  const MemoryFolder memory;
  for (int i = 0; i < 60'000; ++i) write_file(memory.at("wide/" + std::to_string(i)), "");
  auto connection = s.files.begin("DELETE", Files::target("entry", memory.at("wide")) + "&recursive=true");
  REQUIRE(eventually([&] { return !open_below(s.daemon.pid(), memory.path()).empty() || !present(memory.at("wide")); }));
  const auto start = Clock::now();
  s.daemon.stop(SIGTERM);
  CHECK_LT(since(start), scaled(milliseconds(2500)));
}

TEST_CASE("a shutdown during a move between devices keeps the source or the target whole") {
  HomeScene s;
  const MemoryFolder memory;
  if (status_of(memory.path()).st_dev == status_of(s.work).st_dev) return;
  for (int i = 0; i < 3000; ++i) write_file(memory.at("tree/" + std::to_string(i)), "content");
  const auto whole = tree_shot(memory.at("tree"));
  const auto body = boost::json::serialize(boost::json::value{{"from", memory.at("tree")}, {"to", s.at("moved")}});
  auto connection = s.files.begin("POST", "/v1/fs/move", {{"Content-Type", "application/json"}}, body);
  REQUIRE(eventually([&] { return !open_below(s.daemon.pid(), s.work).empty() || !present(memory.at("tree")); }));
  s.daemon.stop(SIGTERM);
  const bool kept = tree_shot(memory.at("tree")) == whole;
  const bool moved = tree_shot(s.work / "moved") == whole;
  CHECK((kept || moved));
  if (!moved) CHECK(names_below(s.work).empty());
}

TEST_CASE("a confining root that is not a directory is refused at the start, in words") {
  TempDir folder;
  write_file(folder.path() / "file", "x");
  for (const std::string name : {"none", "file"}) {
    CommandRun run({"server", "--port", "0", "--no-token", "--fs-root", (folder.path() / name).native()});
    const auto code = run.code();
    CHECK_GT(code, 0);
    CHECK(run.err().contains(name));
  }
}

TEST_CASE("a file root given by a relative path lies below the daemon's directory") {
  Daemon daemon(DaemonSetup{.flags = {"--fs-root", "sub"},
                            .prepare = [](const auto& home) { write_file(home / "sub/file", "content"); }});
  Files files(daemon);
  CHECK_EQ(files.download("file").body, "content");
  CHECK_EQ(text_at(files.stat("file").body, "path"), (daemon.home() / "sub/file").native());
  CHECK_EQ(files.list(daemon.home().native()).status, 403);
}

TEST_CASE("a file root that is replaced is the new one, and confines as before") {
  ConfinedScene s;
  s.write("file", "old");
  CHECK_EQ(s.files.download("file").body, "old");
  std::filesystem::remove_all(s.root);
  CHECK_EQ(problem_of(s.files.download("file")), "404 not_found");
  CHECK_EQ(problem_of(s.files.upload("file", "x")), "404 not_found");
  std::filesystem::create_directory(s.root);
  s.write("file", "new");
  s.link("out", "../outside");
  CHECK_EQ(s.files.download("file").body, "new");
  CHECK_EQ(at_path(boost::json::parse(s.files.list(".").body), "").as_array().size(), 2);
  CHECK_EQ(s.files.upload("other", "x").status, 200);
  CHECK_EQ(read_file(s.root / "other"), "x");
  CHECK_EQ(problem_of(s.files.list("out")), "403 forbidden");
  CHECK_EQ(problem_of(s.files.list(s.folder.path().native())), "403 forbidden");
}

TEST_CASE("a slash at its end says that no file is meant") {
  HomeScene s;
  s.write("file", "x");
  CHECK_EQ(problem_of(s.files.download("w/file/")), "409 conflict");
  CHECK_EQ(problem_of(s.files.download("w/none/")), "404 not_found");
  for (const char* path : {"w/file/", "w/new/"}) {
    const auto answer = s.files.upload(path, "y");
    CHECK_EQ(problem_of(answer), "400 invalid_request");
    CHECK_EQ(field_of(answer), "path");
  }
  CHECK_EQ(s.read("file"), "x");
  CHECK_EQ(names_below(s.work), std::vector<std::string>{"file"});
}

TEST_CASE("a slash at the end of what is no directory is 409 wherever an entry is named, and nothing happens") {
  HomeScene s;
  s.write("file", "x");
  std::filesystem::create_directory(s.work / "folder");
  const auto before = tree_shot(s.work);
  CHECK_EQ(problem_of(s.files.stat("w/file/")), "409 conflict");
  CHECK_EQ(problem_of(s.files.remove("w/file/")), "409 conflict");
  CHECK_EQ(problem_of(s.files.remove_tree("w/file/")), "409 conflict");
  CHECK_EQ(problem_of(s.files.move("w/file/", "w/new")), "409 conflict");
  CHECK_EQ(problem_of(s.files.move("w/file", "w/some/new/")), "409 conflict");
  CHECK_EQ(tree_shot(s.work), before);
  CHECK_EQ(s.files.stat("w/folder/").status, 200);
  CHECK_EQ(s.files.move("w/folder/", "w/moved/").status, 200);
  CHECK_EQ(s.files.make_directory("w/made/deep/").status, 200);
  CHECK_EQ(s.files.remove("w/moved/").status, 200);
}

TEST_CASE("without a home the file API says what is missing, and absolute paths still work") {
  TempDir folder;
  ServerRun server(folder.path(), R"(unset HOME; exec "$@")", {});
  const Files files(server.port, text_at(server.out(), "token"));
  CHECK_LT(files.request("GET", "/v1/fs/entries").status, 600);
  CHECK_EQ(files.upload((folder.path() / "file").native(), "x").status, 200);
  CHECK_EQ(read_file(folder.path() / "file"), "x");
}

TEST_SUITE_END();
