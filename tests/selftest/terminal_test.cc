#include <doctest/doctest.h>
#include <signal.h>

#include "support/terminal.h"

using namespace rig;

namespace {

TerminalLaunch shell(const std::string& script) {
  return {.argv = {"/bin/sh", "-c", script}, .env = {"PATH=/usr/bin:/bin"}, .cwd = "/"};
}

// Says that it is ready and waits until somebody ends it.
const std::string waits = "echo ready; while :; do sleep 0.01; done";

}  // namespace

TEST_SUITE_BEGIN("support");

TEST_CASE("what is typed reaches the program, and what it prints the screen") {
  Terminal terminal(shell("read line; echo \"got $line\""));
  terminal.type("some words\n");
  CHECK(terminal.wait_for("got some words"));
  CHECK_EQ(terminal.code(), 0);
  CHECK_NE(terminal.screen().find("got some words\r\n"), std::string::npos);
}

TEST_CASE("all three streams are the terminal, unless stdout is a file") {
  const std::string tell = "for fd in 0 1 2; do test -t $fd && echo $fd >&2; done; echo result";
  Terminal all(shell(tell));
  CHECK_EQ(all.code(), 0);
  CHECK_EQ(all.text(), "0\n1\n2\nresult\n");

  TempDir folder;
  auto launch = shell(tell);
  launch.stdout_file = folder.path() / "out";
  Terminal some(launch);
  CHECK_EQ(some.code(), 0);
  CHECK_EQ(some.text(), "0\n2\n");
  CHECK_EQ(read_file(folder.path() / "out"), "result\n");
}

TEST_CASE("a typed Ctrl-C interrupts the program, and Ctrl-D ends its input") {
  Terminal trapped(shell("trap 'echo caught; exit 7' INT; " + waits));
  REQUIRE(trapped.wait_for("ready"));
  trapped.type(Terminal::ctrl_c);
  CHECK_EQ(trapped.code(), 7);
  CHECK_NE(trapped.text().find("caught"), std::string::npos);

  Terminal reading(shell("cat; echo over"));
  reading.type(Terminal::ctrl_d);
  CHECK_EQ(reading.code(), 0);
  CHECK_NE(reading.text().find("over"), std::string::npos);
}

TEST_CASE("hanging up is felt as SIGHUP") {
  Terminal terminal(shell(waits));
  REQUIRE(terminal.wait_for("ready"));
  terminal.hang_up();
  CHECK_EQ(terminal.wait(), Ending{.code = -1, .signal = SIGHUP});
}

TEST_CASE("the program sees the terminal's size and its changes") {
  auto launch = shell("stty size; trap 'stty size; exit' WINCH; " + waits);
  launch.rows = 12;
  launch.columns = 77;
  Terminal terminal(launch);
  REQUIRE(terminal.wait_for("12 77"));
  REQUIRE(terminal.wait_for("ready"));
  terminal.resize(20, 50);
  CHECK(terminal.wait_for("20 50"));
}

TEST_CASE("a program that prints more than a terminal buffers comes to its end") {
  Terminal terminal(shell("head -c 300000 /dev/zero | tr '\\0' x; echo; exit 3"));
  CHECK_EQ(terminal.code(), 3);
  CHECK_EQ(terminal.text().size(), 300001);
}

TEST_CASE("a deadline that passes is told, and the destructor ends the program") {
  pid_t pid = 0;
  {
    Terminal terminal(shell(waits));
    REQUIRE(terminal.wait_for("ready"));
    CHECK_FALSE(terminal.wait_for("never said", milliseconds(20)));
    CHECK_FALSE(terminal.wait(milliseconds(20)).has_value());
    pid = terminal.pid();
  }
  CHECK_EQ(kill(pid, 0), -1);
}

TEST_CASE("text is what is left without escape sequences") {
  CHECK_EQ(without_escapes("\x1b[1;31mred\x1b[0m\r\n"), "red\n");
  CHECK_EQ(without_escapes("\x1b]0;title\a-\x1b]8;;x\x1b\\-\x1b[2K\x1b"), "--");
}

TEST_SUITE_END();
