// A disk that does not answer: the daemon ends in time.
#include <doctest/doctest.h>
#include <signal.h>

#include "hung_disk.h"
#include "server_run.h"

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

}  // namespace

TEST_SUITE_BEGIN("fs");

TEST_CASE("a daemon whose data folder hangs ends in time, and its agents with it") {
  if (!HungDisk::available()) return;
  constexpr milliseconds grace{300};
  HungDataScene s(grace);
  REQUIRE_EQ(s.call("echo"), 200);
  s.hang();
  s.server.process.signal(SIGTERM);
  CHECK_EQ(s.server.process.wait(grace + beyond_grace), well);
  CHECK(no_agents_within(s.server.mark, milliseconds(0)));
}

TEST_CASE("a second signal kills at once, also when the data folder hangs") {
  if (!HungDisk::available()) return;
  HungDataScene s(milliseconds(30'000));
  REQUIRE_EQ(s.call("tree", R"({"kind":"ignores_term"})"), 200);
  s.hang();
  s.server.process.signal(SIGTERM);
  REQUIRE(eventually([&] { return s.server.err().contains("shutting down"); }));
  s.server.process.signal(SIGTERM);
  CHECK_EQ(s.server.process.wait(beyond_grace), well);
  CHECK(no_agents_within(s.server.mark, milliseconds(0)));
}

TEST_SUITE_END();
