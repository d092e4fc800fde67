#include "agents/archive_install.h"

#include <doctest/doctest.h>

#include "agents/install_test_world.h"
#include "base/sha256.h"
#include "files/zip_test_archive.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;
using tar_test::Archive;

// A data folder, a tree in it, and what an install of an archive made of it.
struct World {
  Result<InstalledArchive> install(ArchiveStep step) {
    return install_archive(step, *tree, limits, [&](const InstallProgress& far) { progress.push_back(far); }, stop);
  }
  Result<InstalledArchive> install(const FetchTestServer& server, std::string cmd, std::string sha256 = "") {
    return install({server.url("/a.tgz"), std::move(sha256), std::move(cmd)});
  }
  std::string failure(const FetchTestServer& server, std::string cmd, std::string sha256 = "") {
    const auto installed = install(server, std::move(cmd), std::move(sha256));
    REQUIRE_FALSE(installed.has_value());
    CHECK(installed.error().code == ErrorCode::install_failed);
    return installed.error().detail;
  }

  ScratchFolder data;
  Store store{data.path()};
  StopFlag stop{false};
  InstallLimits limits;
  std::vector<InstallProgress> progress;
  std::optional<InstallTree> tree = [&] {
    REQUIRE(make_directories(store.folder("a")).has_value());
    return InstallTree::begin(store, "a", "1.0", stop).value();
  }();
};

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string good_archive() {
  return tar_test::gzip(Archive().directory("bin").file("bin/agent", "#!/bin/sh\n", 0644).file("data").end());
}

}  // namespace

TEST_CASE("an archive is fetched, unpacked and its program made executable") {
  World world;
  const FetchTestServer server(answering(answer_200(good_archive())));
  const auto installed = world.install(server, "./bin//agent");
  REQUIRE(installed.has_value());
  CHECK(installed->program == world.tree->at("files/bin/agent"));
  CHECK(is_executable_file(installed->program));
  CHECK(installed->sha256 == sha256_of(good_archive()));
  CHECK(world.data.names("bin/agent_processes/a.d/" + world.tree->name()) == Strings{"files"});
  REQUIRE(world.progress.size() >= 2);
  CHECK(world.progress.front().phase == "downloading");
  CHECK(world.progress.back().phase == "unpacking");
}

TEST_CASE("an archive that is the program itself gets the name of its cmd") {
  World world;
  const FetchTestServer server(answering(answer_200("#!/bin/sh\n")));
  const auto installed = world.install(server, "./agent");
  REQUIRE(installed.has_value());
  CHECK(is_executable_file(world.tree->at("files/agent")));
}

TEST_CASE("a zip is an archive too") {
  World world;
  const FetchTestServer server(answering(answer_200(zip_test::Zip().file("agent").end())));
  CHECK(world.install(server, "agent").has_value());
}

TEST_CASE("a hash is compared in either case, and a wrong one is told with both") {
  World world;
  const FetchTestServer server(answering(answer_200(good_archive())));
  const std::string wrong(64, 'a');
  const std::string told = world.failure(server, "bin/agent", wrong);
  CHECK(told == fmt::format("what {} sent has the SHA-256 {}, and the registry says {}", server.url("/a.tgz"),
                            sha256_of(good_archive()), wrong));
  CHECK_FALSE(world.data.has("bin/agent_processes/a.d/" + world.tree->name() + "/files"));
  std::string upper = sha256_of(good_archive());
  for (char& c : upper)
    if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
  CHECK(World().install(server, "bin/agent", upper).has_value());
}

TEST_CASE("what a server does not have, cuts short or is not there for is told with the URL") {
  World world;
  const FetchTestServer missing(answering("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone"));
  CHECK(world.failure(missing, "agent") ==
        missing.url("/a.tgz") + " answered 404. Try again later, or ask who runs the registry");
  const FetchTestServer cut(answering("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"));
  CHECK(World().failure(cut, "agent").contains("127.0.0.1"));
  const auto insecure = World().install({"http://archive.example/a", "", "agent"});
  CHECK(insecure.error().detail.contains("https"));
}

TEST_CASE("an archive that is too large is not taken") {
  World world;
  world.limits.max_artifact_bytes = 100;
  const FetchTestServer server(answering(answer_200(std::string(1000, 'x'))));
  CHECK(world.failure(server, "agent").contains("100"));
}

TEST_CASE("a broken archive is told with the URL") {
  World world;
  const FetchTestServer server(answering(answer_200(good_archive().substr(0, 100))));
  const std::string told = world.failure(server, "bin/agent");
  CHECK(told.starts_with("what " + server.url("/a.tgz") + " sent cannot be unpacked: "));
  CHECK_FALSE(told.contains("send it again"));
  const FetchTestServer other(answering(answer_200(tar_test::gzip("a program, not a tar archive"))));
  CHECK(World().failure(other, "bin/agent").ends_with("sent cannot be unpacked: it is not a tar archive"));
}

TEST_CASE("a cmd that is no path within its archive is refused before anything is fetched") {
  const FetchTestServer server(answering(answer_200(good_archive())));
  for (const std::string& cmd :
       {std::string("/bin/sh"), std::string("../agent"), std::string("bin/../../agent"), std::string("bin/.."),
        std::string("bin\\agent"), std::string("bin/agent\0", 10), std::string(), std::string("."), std::string("./")}) {
    CAPTURE(cmd);
    World world;
    CHECK(world.failure(server, cmd).starts_with("the registry's cmd"));
    CHECK(world.progress.empty());
  }
  CHECK(server.heads().empty());
}

TEST_CASE("a cmd that is not in the archive, or a directory there, is told") {
  const FetchTestServer server(answering(answer_200(good_archive())));
  for (const char* cmd : {"agent", "bin", "data/agent"}) {
    CAPTURE(cmd);
    CHECK(World().failure(server, cmd) == fmt::format("the archive {} has no program '{}'", server.url("/a.tgz"), cmd));
  }
}

TEST_CASE("a program may be a link within its archive, and never one out of it") {
  const FetchTestServer inside(answering(answer_200(Archive().file("real").symlink("agent", "real").end())));
  World world;
  CHECK(world.install(inside, "agent").has_value());
  CHECK(is_executable_file(world.tree->at("files/agent")));
  const ScratchFolder outside;
  outside.write("kept", "x", 0600);
  for (const std::string& text :
       {outside.at("kept"), std::string("../download"), std::string("../../../../../../etc/passwd")}) {
    CAPTURE(text);
    const FetchTestServer server(answering(answer_200(Archive().symlink("agent", text).end())));
    World().failure(server, "agent");
  }
  CHECK(outside.mode("kept") == 0600);
}

TEST_CASE("a stop in the middle of a download ends it") {
  World world;
  const FetchTestServer server([&](TestPeer& peer, const std::string&) {
    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf");
    world.stop = true;
    peer.wait_for_close();
  });
  CHECK(world.install(server, "agent").error().code == ErrorCode::overloaded);
}

}  // namespace sa
