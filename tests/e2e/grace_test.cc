// What an agent may do between SIGTERM and the end of the grace.
#include <doctest/doctest.h>
#include <signal.h>

#include "support/acp.h"

using namespace rig;

TEST_SUITE_BEGIN("trees");

// More than once: how soon it starts after the signal differs by a little each time.
TEST_CASE("an agent may clean up with a new process during the grace") {
  TempDir folder;
  const auto script = folder.path() / "agent.sh";
  const auto saved = (folder.path() / "saved.").string();
  write_file(script, "trap 'sh -c \"sleep 0.3; echo saved > " + saved +
                         "$$\"; exit 0' TERM\n"
                         "echo '{\"method\":\"up\"}'\n"
                         "while :; do sleep 0.05; done\n");
  Daemon daemon({"--agent", "tidy=/bin/sh " + script.string(), "--stop-grace-ms", "3000"});
  for (int i = 0; i < 5; ++i) {
    Acp acp(daemon, "x", "tidy");
    REQUIRE_EQ(acp.notify("start").status, 202);
    REQUIRE(acp.stream().until("up").is_message());
    const auto agent = std::to_string(acp.pid());
    const auto start = Clock::now();
    CHECK_EQ(acp.remove().status, 204);
    CHECK_LT(since(start), milliseconds(2500));
    CHECK_EQ(read_file(saved + agent), "saved\n");
  }
}

TEST_CASE("a shutdown does not cut short the grace of a DELETE, which is answered") {
  Daemon daemon({"--stop-grace-ms", "1500"});
  Acp acp(daemon, "x");
  const auto note = daemon.home() / "ended-well";
  REQUIRE_EQ(acp.call("end_slowly", R"({"ms":600,"note":")" + note.string() + "\"}").status, 200);
  auto removing = acp.begin("DELETE", acp.target());
  REQUIRE(eventually([&] { return acp.listing().empty(); }, milliseconds(500)));
  daemon.process().signal(SIGTERM);
  CHECK_EQ(removing.read_response().status, 204);
  CHECK(std::filesystem::exists(note));
}

TEST_SUITE_END();
