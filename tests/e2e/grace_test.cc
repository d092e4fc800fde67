// What an agent may do between SIGTERM and the end of the grace.
#include <doctest/doctest.h>
#include <signal.h>

#include <thread>

#include "support/acp.h"
#include "support/cli_home.h"

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
  Daemon daemon({"--agent", "tidy=/bin/sh " + script.string(), "--stop-grace-ms", "10000"});
  for (int i = 0; i < 5; ++i) {
    Acp acp(daemon, "x", "tidy");
    REQUIRE_EQ(acp.notify("start").status, 202);
    REQUIRE(acp.stream().until("up").is_message());
    const auto agent = std::to_string(acp.pid());
    const auto start = Clock::now();
    CHECK_EQ(acp.remove().status, 204);
    CHECK_LT(since(start), milliseconds(8000));
    CHECK_EQ(read_file(saved + agent), "saved\n");
  }
}

TEST_CASE("a shutdown does not cut short the grace of a DELETE, which is answered") {
  Daemon daemon({"--stop-grace-ms", "10000"});
  Acp acp(daemon, "x");
  const auto note = daemon.home() / "ended-well";
  REQUIRE_EQ(acp.call("end_slowly", R"({"ms":600,"note":")" + note.string() + "\"}").status, 200);
  auto removing = acp.begin("DELETE", acp.target());
  REQUIRE(eventually([&] { return acp.listing().empty(); }));
  daemon.process().signal(SIGTERM);
  CHECK_EQ(removing.read_response().status, 204);
  CHECK(std::filesystem::exists(note));
  CHECK_EQ(daemon.process().wait(milliseconds(5000)), Ending{.code = 0, .signal = 0});
}

TEST_CASE("a second stop takes nothing of the agents' grace") {
  CliHome home;
  const auto script = home.path() / "tidy";
  write_file(script,
             "#!/bin/sh\ntrap 'touch \"$0.asked\"; sleep 3; touch \"$0.tidied\"; exit 0' TERM\n"
             "touch \"$0.up\"\nwhile :; do sleep 0.1; done\n",
             true);
  const auto daemon = home.start_daemon({"--agent", "tidy=" + script.string(), "--stop-grace-ms", "30000"});
  Acp acp(daemon.api(), "x", "tidy");
  REQUIRE_EQ(acp.notify("hello", "{}").status, 202);
  REQUIRE(eventually([&] { return std::filesystem::exists(script.string() + ".up"); }));
  const auto first = home.start({"daemon", "stop"});
  REQUIRE(eventually([&] { return std::filesystem::exists(script.string() + ".asked"); }));
  std::this_thread::sleep_for(milliseconds(1100));  // a signal that comes so late is meant
  CHECK_EQ(home.run({"daemon", "stop"}).code, 0);
  CHECK(std::filesystem::exists(script.string() + ".tidied"));
  CHECK_EQ(first->end().code, 0);
}

TEST_SUITE_END();
