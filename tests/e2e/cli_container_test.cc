// What shares a home, and is in a PID namespace of its own.
#include <doctest/doctest.h>
#include <unistd.h>

#include "support/cli_home.h"
#include "support/survivors.h"

using namespace rig;

TEST_SUITE_BEGIN("cli_daemon");

TEST_CASE("a container that shares the folder has a daemon of its own, and the one here goes on") {
  CliHome home;
  const auto in_container = [&home](const std::string& script) {
    const std::string unshare = geteuid() == 0 ? "unshare" : "unshare --user --map-root-user";
    Process container({.argv = {"/bin/sh", "-c", "exec " + unshare + " --pid --fork --mount-proc sh -c \"$1\" \"$0\"",
                                binary_under_test(), script},
                       .env = clean_environment(home.path(), home.mark()),
                       .cwd = home.path(),
                       .stdout_file = home.path() / "said",
                       .stderr_file = home.path() / "errors"});
    return container.wait(milliseconds(30'000)).value_or(Ending()).code;
  };
  if (in_container("true") != 0) {
    MESSAGE("skipped: no PID namespace can be had here");
    return;
  }
  const auto daemon = home.start_daemon();
  CHECK_EQ(in_container(R"("$0" run hello && "$0" daemon stop)"), 0);
  INFO(read_file(home.path() / "errors"));
  CHECK(contains(read_file(home.path() / "said"), "You said: \"hello\""));
  CHECK_EQ(home.daemon().pid(), daemon.pid());
  CHECK_EQ(home.run({"daemon", "status"}).code, 0);
}

TEST_SUITE_END();
