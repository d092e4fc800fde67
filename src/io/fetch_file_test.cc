#include "io/fetch_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "base/scratch_folder.h"
#include "io/fetch_test_server.h"

namespace sa {
namespace {

FetchTestServer::Handler says(std::string bytes) {
  return [bytes = std::move(bytes)](TestPeer& peer, const std::string&) { peer.write(bytes); };
}

UniqueFd open_for_writing(const std::string& path) {
  return UniqueFd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

}  // namespace

TEST_CASE("a fetched file is written and hashed") {
  const ScratchFolder folder;
  const FetchTestServer server(says("HTTP/1.1 200 OK\r\n\r\nabc"));
  const UniqueFd file = open_for_writing(folder.at("file"));
  const auto fetched = fetch_to_file({.url = server.url()}, file.get(), environment_of({}));
  REQUIRE(fetched);
  CHECK(fetched->answer.status == 200);
  CHECK(fetched->answer.bytes == 3);
  CHECK(fetched->sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(folder.read("file") == "abc");
  CHECK(fetch_to_file({.url = server.url()}, file.get()));
  CHECK(folder.read("file") == "abcabc");
}

TEST_CASE("a file that is not there on the server writes nothing") {
  const ScratchFolder folder;
  const FetchTestServer server(says("HTTP/1.1 404 Not Found\r\n\r\ngone"));
  const UniqueFd file = open_for_writing(folder.at("file"));
  const auto fetched = fetch_to_file({.url = server.url()}, file.get(), environment_of({}));
  REQUIRE(fetched);
  CHECK(fetched->answer.status == 404);
  CHECK(fetched->answer.bytes == 0);
  CHECK(folder.read("file").empty());
}

TEST_CASE("a full disk is no_space, and another failure to write is internal") {
  const ScratchFolder folder;
  const FetchTestServer server(says("HTTP/1.1 200 OK\r\n\r\nabc"));
  const auto failure = [&](const UniqueFd& file) {
    const auto fetched = fetch_to_file({.url = server.url()}, file.get(), environment_of({}));
    REQUIRE_FALSE(fetched);
    CHECK(fetched.error().kind == FetchError::Kind::sink);
    REQUIRE(fetched.error().cause);
    return *fetched.error().cause;
  };
  const auto full = failure(UniqueFd(::open("/dev/full", O_WRONLY | O_CLOEXEC)));
  CHECK(full.code == ErrorCode::no_space);
  CHECK(full.detail.contains("ENOSPC"));
  folder.write("file", "");
  CHECK(failure(UniqueFd(::open(folder.at("file").c_str(), O_RDONLY | O_CLOEXEC))).code == ErrorCode::internal);
}

}  // namespace sa
