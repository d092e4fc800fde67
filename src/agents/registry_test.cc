#include "agents/registry.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <limits>
#include <thread>

#include "base/log.h"
#include "base/scratch_folder.h"
#include "base/sha256.h"
#include "io/fetch_test_server.h"

namespace sa {
namespace {

const StopFlag never{false};

// A registry whose answer can change. The server's thread looks at it.
class Source {
 public:
  void says(int status) { status_ = status; }
  void says(std::string body) {
    const std::lock_guard lock(mutex_);
    body_ = std::move(body);
  }
  FetchTestServer::Handler handler() {
    return [this](TestPeer& peer, const std::string&) {
      const std::lock_guard lock(mutex_);
      peer.write(fmt::format("HTTP/1.1 {} X\r\nContent-Length: {}\r\n\r\n{}", status_.load(), body_.size(), body_));
    };
  }

 private:
  std::mutex mutex_;
  std::atomic<int> status_ = 200;
  std::string body_ = R"({"agents":[]})";
};

struct World {
  Registry registry(Millis fresh_for = Millis(3'600'000)) const { return registry_at(server.url("/registry.json"), fresh_for); }
  Registry registry_at(std::string url, Millis fresh_for = Millis(3'600'000)) const {
    return Registry({.url = std::move(url), .copy_file = folder.at("copy.json"), .fresh_for = fresh_for});
  }
  std::string get(const Registry& registry) const { return registry.get(never).value().json; }
  std::size_t asked() const { return server.heads().size(); }
  std::string copy_text(long long fetched_at, std::string_view document) const {
    Sha256 of_url;
    of_url.add(server.url("/registry.json"));
    return fmt::format(R"({{"urlSha256":"{}","fetchedAtMs":{},"document":"{}"}})", of_url.hex(), fetched_at, document);
  }

  ScratchFolder folder;
  Source source;
  FetchTestServer server{source.handler()};
};

constexpr Millis stale{-1};  // a copy is never fresh

}  // namespace

TEST_CASE("a registry can be a file, by path or by URL") {
  const ScratchFolder folder;
  const std::string text = R"({"agents": []})";
  folder.write("registry.json", text);
  for (const std::string& url : {folder.at("registry.json"), "file://" + folder.at("registry.json")}) {
    CAPTURE(url);
    const Registry registry({.url = url, .copy_file = folder.at("copy.json")});
    CHECK(registry.get(never).value().json == text);
    CHECK(registry.get(never).value().copy_of.empty());
    CHECK(registry.known().value().json == text);
  }
  CHECK_FALSE(folder.has("copy.json"));
  const Registry missing({.url = folder.at("none"), .copy_file = folder.at("copy.json")});
  REQUIRE_FALSE(missing.get(never).has_value());
  CHECK(missing.get(never).error().detail.contains(folder.at("none")));
  REQUIRE_FALSE(missing.known().has_value());
  CHECK(missing.known().error().code == ErrorCode::internal);
}

TEST_CASE("a file that is no registry counts as none, and is named") {
  const ScratchFolder folder;
  const Registry registry({.url = folder.at("registry.json"), .copy_file = folder.at("copy.json")});
  for (const char* damaged : {"<html>", "", "[]", "{}", R"({"agents":{}})"}) {
    CAPTURE(damaged);
    folder.write("registry.json", damaged);
    for (const auto& document : {registry.get(never), registry.known()}) {
      REQUIRE_FALSE(document.has_value());
      CHECK(document.error().code == ErrorCode::internal);
      CHECK(document.error().detail.contains(folder.at("registry.json")));
      CHECK(document.error().detail.contains("no registry"));
    }
  }
}

TEST_CASE("a registry is fetched once and its copy used for an hour") {
  World world;
  REQUIRE_FALSE(world.registry().known().has_value());
  CHECK(world.registry().known().error().code == ErrorCode::not_found);
  CHECK(world.asked() == 0);
  CHECK(world.get(world.registry()) == R"({"agents":[]})");
  world.source.says(R"({"agents":[1]})");
  CHECK(world.get(world.registry()) == R"({"agents":[]})");
  CHECK(world.registry().get(never).value().copy_of.empty());
  CHECK(world.registry().known().value().json == R"({"agents":[]})");
  CHECK(world.asked() == 1);
}

TEST_CASE("a copy that is too old is fetched again") {
  World world;
  world.get(world.registry());
  world.source.says(R"({"agents":[1]})");
  CHECK(world.get(world.registry(stale)) == R"({"agents":[1]})");
  CHECK(world.asked() == 2);
  CHECK(world.get(world.registry()) == R"({"agents":[1]})");
  CHECK(world.asked() == 2);
}

TEST_CASE("a copy from the future is fetched again") {
  World world;
  world.folder.write("copy.json", world.copy_text(99999999999999, "future"));
  CHECK(world.get(world.registry()) == R"({"agents":[]})");
}

TEST_CASE("a copy from before all time is an old one") {
  World world;
  world.source.says(503);
  world.folder.write("copy.json", world.copy_text(std::numeric_limits<long long>::min(), "old"));
  const auto document = world.registry().get(never);
  REQUIRE(document);
  CHECK(document->json == "old");
  CHECK_FALSE(document->copy_of.empty());
}

TEST_CASE("a registry that cannot be reached is its copy, with the time of it") {
  World world;
  CHECK_FALSE(world.registry().known().has_value());
  world.folder.write("copy.json", world.copy_text(1700000000123, "old"));
  world.source.says(503);
  const auto document = world.registry().get(never);
  REQUIRE(document.has_value());
  CHECK(document->json == "old");
  CHECK(document->copy_of == "2023-11-14T22:13:20.000Z");
}

TEST_CASE("an answer that is no registry counts as none, and the good copy stays") {
  World world;
  world.get(world.registry());
  for (const char* body : {R"({"message":"sign in"})", "[]", "<html>", R"({"agents":{}})"}) {
    CAPTURE(body);
    world.source.says(std::string(body));
    CHECK(world.get(world.registry(stale)) == R"({"agents":[]})");
    CHECK(world.registry().known().value().json == R"({"agents":[]})");
  }
}

TEST_CASE("a password in the registry's URL is not kept") {
  World world;
  std::string url = world.server.url("/registry.json");
  url.insert(url.find("//") + 2, "me:s3cret@");
  CHECK(world.get(world.registry_at(url)) == R"({"agents":[]})");
  CHECK_FALSE(world.folder.read("copy.json").contains("s3cret"));
}

TEST_CASE("a registry that cannot be reached and has no copy is an error in words") {
  World world;
  world.source.says(404);
  CHECK(world.registry().get(never).error().detail == "It answered 404. Check its URL.");
  std::string nobody;
  {
    const FetchTestServer gone([](TestPeer&, const std::string&) {});
    nobody = gone.url("/registry.json");
  }
  CHECK(world.registry_at(nobody).get(never).error().detail.contains("127.0.0.1"));
  CHECK(world.registry_at("http://registry.example/r.json").get(never).error().detail.contains("https"));
  CHECK_FALSE(world.folder.has("copy.json"));
}

TEST_CASE("the copy of another registry is not used") {
  World world;
  world.get(world.registry());
  CHECK_FALSE(world.registry_at(world.server.url("/other.json")).known().has_value());
  world.source.says(R"({"agents":[1]})");
  CHECK(world.get(world.registry_at(world.server.url("/other.json"))) == R"({"agents":[1]})");
  CHECK(world.asked() == 2);
  CHECK_FALSE(world.registry().known().has_value());
}

TEST_CASE("what is no registry is not kept, and a copy from before is used instead") {
  World world;
  for (const char* garbage : {"<html>sign in</html>", "", "[]", "7"}) {
    CAPTURE(garbage);
    world.source.says(std::string(garbage));
    CHECK_FALSE(world.registry().get(never).has_value());
    CHECK_FALSE(world.folder.has("copy.json"));
  }
  world.source.says(R"({"agents":[]})");
  world.get(world.registry());
  const std::string kept = world.folder.read("copy.json");
  world.source.says("<html>");
  CHECK(world.get(world.registry(stale)) == R"({"agents":[]})");
  CHECK_FALSE(world.registry(stale).get(never).value().copy_of.empty());
  CHECK(world.folder.read("copy.json") == kept);
}

TEST_CASE("a broken copy is as good as none") {
  World world;
  world.folder.write("copy.json", "{");
  CHECK_FALSE(world.registry().known().has_value());
  CHECK(world.get(world.registry()) == R"({"agents":[]})");
  CHECK(world.registry().known().has_value());
}

TEST_CASE("a copy that cannot be kept does not hinder") {
  World world;
  world.folder.write("file", "");
  const Registry registry({.url = world.server.url(), .copy_file = world.folder.at("file/copy.json")});
  log::set_level(log::Level::off);
  CHECK(world.get(registry) == R"({"agents":[]})");
  log::set_level(log::Level::info);
}

TEST_CASE("a registry over https must have a certificate that is trusted") {
  const TestIdentity authority = make_identity(nullptr, "");
  const TestIdentity identity = make_identity(&authority, "IP:127.0.0.1");
  Source source;
  const FetchTestServer server(source.handler(), &identity);
  const ScratchFolder folder;
  const Registry registry({.url = server.url(), .copy_file = folder.at("copy.json")});
  CHECK(registry.get(never).error().detail.contains("issuer"));
  CHECK_FALSE(folder.has("copy.json"));
}

TEST_CASE("who waits while a registry fails does not ask once more, and who comes later does") {
  std::atomic<pid_t> second = 0;
  const auto sleeps = [&] {  // it waits for the first one
    std::ifstream state(fmt::format("/proc/self/task/{}/stat", second.load()));
    std::string text;
    std::getline(state, text);
    return second != 0 && text.contains(") S ");
  };
  const FetchTestServer server([&](TestPeer& peer, const std::string&) {
    while (!sleeps()) std::this_thread::yield();
    peer.write("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n");
  });
  const ScratchFolder folder;
  const Registry registry({.url = server.url(), .copy_file = folder.at("copy.json")});
  std::string told;
  std::jthread waiting([&] {
    while (server.heads().empty()) std::this_thread::yield();
    second = ::gettid();
    told = registry.get(never).error().detail;
  });
  CHECK(registry.get(never).error().detail == "It answered 503. Check its URL.");
  waiting.join();
  CHECK(told == "It answered 503. Check its URL.");
  CHECK(server.heads().size() == 1);
  second = ::gettid();
  CHECK_FALSE(registry.get(never).has_value());
  CHECK(server.heads().size() == 2);
}

TEST_CASE("a stop ends the wait for a registry") {
  StopFlag stop{false};
  const FetchTestServer server([&](TestPeer& peer, const std::string&) {
    stop = true;
    peer.wait_for_close();
  });
  const ScratchFolder folder;
  const Registry registry({.url = server.url(), .copy_file = folder.at("copy.json")});
  CHECK_FALSE(registry.get(stop).has_value());
}

}  // namespace sa
