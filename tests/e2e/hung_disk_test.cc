// A disk that does not answer: who touches it waits, everybody else does not, and the daemon ends in time.
#include <doctest/doctest.h>
#include <signal.h>

#include "hung_disk.h"
#include "server_run.h"
#include "support/files.h"

using namespace rig;

namespace {

constexpr Ending well{.code = 0, .signal = 0};
constexpr milliseconds beyond_grace{1000};

// A daemon with an agent that runs, whose data folder then hangs.
struct HungDataScene {
  TempDir home;
  ServerRun server;
  std::optional<HungDisk> disk;

  explicit HungDataScene(milliseconds grace)
      : server(home.path(), in_own_namespace, {"--stop-grace-ms", std::to_string(grace.count())}) {}
  int call(const std::string& method, const std::string& parameters = "{}") const {
    return server.request("POST", "/v1/acp/x?agent=fake", rpc_request("1", method, parameters)).status;
  }
  void hang() { disk.emplace(server.process.pid(), home.path() / "data", HungDisk::Answers::no); }
};

// A daemon that has such a disk at ~/disk.
struct SlowCloseScene {
  TempDir home;
  ServerRun server;
  Files files;
  HungDisk disk;

  explicit SlowCloseScene(const std::vector<std::string>& flags = {})
      : server(home.path(), std::string("mkdir \"$HOME/disk\" && ") + in_own_namespace, flags),
        files(server.port, text_at(server.out(), "token")),
        disk(server.process.pid(), home.path() / "disk", HungDisk::Answers::yes) {}

  // Whether somebody else is answered while a file is being closed.
  bool goes_on() {
    if (!eventually([this] { return disk.held() > 0; })) return false;
    Connection other(server.port);
    other.send(http_request("GET", "/v1/health"));
    return other.readable_within(usual_patience);
  }
};

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("a daemon whose data folder hangs ends in time, and its agents with it") {
  if (!HungDisk::available()) return;
  constexpr milliseconds grace{300};
  std::optional<Ending> ending;
  for (int played = 0; !ending && played < 3; ++played) {  // others use the machine too
    HungDataScene s(grace);
    REQUIRE_EQ(s.call("echo"), 200);
    s.hang();
    s.server.process.signal(SIGTERM);
    ending = s.server.process.wait(grace + beyond_grace);
    if (ending) CHECK(no_agents_within(s.server.mark, milliseconds(0)));
  }
  CHECK_EQ(ending, well);
}

TEST_CASE("a signal a second after the first kills at once, also when the data folder hangs") {
  if (!HungDisk::available()) return;
  HungDataScene s(milliseconds(30'000));
  REQUIRE_EQ(s.call("tree", R"({"kind":"ignores_term"})"), 200);
  s.hang();
  s.server.process.signal(SIGTERM);
  REQUIRE(eventually([&] { return s.server.err().contains("shutting down"); }));
  const auto ends = [&] {
    s.server.process.signal(SIGTERM);
    return s.server.process.wait(milliseconds(50)).has_value();
  };
  CHECK(eventually(ends, milliseconds(10'000)));
  CHECK_EQ(s.server.process.wait(milliseconds(0)), well);
  CHECK(no_agents_within(s.server.mark, milliseconds(0)));
}

TEST_CASE("a file that is slow to close holds up nobody but who asked for it, whatever the answer") {
  if (!HungDisk::available()) return;
  SlowCloseScene s;
  const auto etag = s.files.head("disk/file").header("etag");
  REQUIRE_FALSE(etag.empty());
  struct Case {
    std::string method;
    Headers headers;
    int status;
  };
  const Case cases[] = {{"GET", {{"Range", "bytes=0-99999"}}, 206},
                        {"GET", {{"If-None-Match", etag}}, 304},
                        {"HEAD", {}, 200},
                        {"GET", {{"If-Match", "\"another\""}}, 412},
                        {"GET", {{"Range", "bytes=" + std::to_string(HungDisk::file_size) + "-"}}, 416}};
  for (const auto& [method, headers, status] : cases) {
    INFO(method, " ", status);
    s.disk.hold_closes();
    auto waiting = s.files.begin(method, Files::target("file", "disk/file"), headers);
    CHECK(s.goes_on());
    s.disk.release();
    CHECK_EQ(waiting.read_response(method == "HEAD").status, status);
  }
}

TEST_CASE("a download that is given up and slow to close holds up nobody") {
  if (!HungDisk::available()) return;
  SlowCloseScene s({"--reader-timeout-ms", "100"});
  s.disk.hold_closes();
  auto unread = s.files.narrow_download("disk/file");
  CHECK(s.goes_on());
  s.disk.release();
  CHECK_EQ(s.server.request("GET", "/v1/health").status, 200);
}

TEST_SUITE_END();
