// What a daemon inherits from the one who starts it, and what it leaves to the next.
#include <doctest/doctest.h>
#include <signal.h>

#include "server_run.h"

using namespace rig;

namespace {

bool refuses_connections(std::uint16_t port) try {
  Connection connection(port);
  return false;
} catch (const std::runtime_error&) {
  return true;
}

constexpr Ending well{.code = 0, .signal = 0};

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("a successor on the same port keeps its state file when its predecessor ends") {
  TempDir home;
  ServerRun former(home.path(), R"(exec "$@")", {"--stop-grace-ms", "4000"});
  const auto file = home.path() / "data/sandbox-agent/daemon" / ("server-" + std::to_string(former.port) + ".json");
  REQUIRE_EQ(number_at(read_file(file), "pid"), former.process.pid());
  const auto stubborn = rpc_request("1", "tree", R"({"kind":"ignores_term"})");
  REQUIRE_EQ(former.request("POST", "/v1/acp/x?agent=fake", stubborn).status, 200);
  former.process.signal(SIGTERM);
  REQUIRE(eventually([&] { return refuses_connections(former.port); }));
  ServerRun successor(home.path(), R"(exec "$@")", {"--port", std::to_string(former.port)});
  REQUIRE_EQ(successor.port, former.port);
  REQUIRE_EQ(number_at(read_file(file), "pid"), successor.process.pid());
  REQUIRE_FALSE(former.process.wait(milliseconds(0)));
  CHECK_EQ(former.process.wait(milliseconds(10'000)), well);
  REQUIRE(std::filesystem::exists(file));
  CHECK_EQ(number_at(read_file(file), "pid"), successor.process.pid());
  successor.process.signal(SIGTERM);
  CHECK_EQ(successor.process.wait(milliseconds(5000)), well);
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("SIGHUP ends a daemon properly") {
  TempDir home;
  ServerRun server(home.path(), R"(exec "$@")", {"--no-token"});
  server.process.signal(SIGHUP);
  CHECK_EQ(server.process.wait(milliseconds(5000)), well);
}

TEST_CASE("SIGHUP does not end a daemon that was started with it ignored, as nohup does") {
  TempDir home;
  ServerRun server(home.path(), R"(trap '' HUP; exec "$@")", {"--no-token"});
  server.process.signal(SIGHUP);
  CHECK_FALSE(server.process.wait(milliseconds(300)));
  CHECK_EQ(server.request("GET", "/healthz").body, "ok");
  server.process.signal(SIGTERM);
  CHECK_EQ(server.process.wait(milliseconds(5000)), well);
}

TEST_CASE("a closed stderr is not taken for something else") {
  TempDir home;
  ServerRun server(home.path(), R"(exec "$@" 2>&-)", {"--no-token"});
  std::error_code absent;
  const auto target = std::filesystem::read_symlink("/proc/" + std::to_string(server.process.pid()) + "/fd/2", absent);
  CHECK_FALSE(target.string().starts_with("anon_inode:"));
  CHECK_FALSE(target.string().starts_with("socket:"));
  CHECK_EQ(server.request("GET", "/healthz").body, "ok");
}

TEST_SUITE_END();
