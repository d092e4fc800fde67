#include <doctest/doctest.h>
#include <signal.h>

#include <set>

#include "support/cli_home.h"
#include "support/survivors.h"

using namespace rig;

namespace {

std::string address_in(const std::string& text) {
  const auto at = text.find("http://127.0.0.1:");
  if (at == std::string::npos) return "";
  auto end = at + 17;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return text.substr(at, end - at);
}

}  // namespace

TEST_SUITE_BEGIN("cli_daemon");

TEST_CASE("a daemon is started, told about and stopped") {
  CliHome home;
  CHECK_EQ(home.run({"daemon", "status"}).code, 3);

  const auto started = home.run({"daemon", "start", "--port", "0"});
  INFO(started.all());
  REQUIRE_EQ(started.code, 0);
  const auto daemon = home.daemon();
  CHECK(contains(started.all(), daemon.url()));
  CHECK_EQ(daemon.api().get("/v1/health").status, 200);

  const auto status = home.run({"daemon", "status"});
  CHECK_EQ(status.code, 0);
  CHECK(contains(status.out, daemon.url()));
  CHECK(contains(status.out, std::to_string(daemon.pid())));

  const auto document = home.run({"daemon", "status", "--json"});
  CHECK_EQ(document.code, 0);
  CHECK_EQ(text_at(document.out, "url"), daemon.url());
  CHECK_EQ(number_at(document.out, "pid"), daemon.pid());
  CHECK_FALSE(contains(document.out, daemon.token()));

  CHECK_EQ(home.run({"daemon", "stop"}).code, 0);
  CHECK_FALSE(alive(daemon.pid()));
  CHECK(home.daemons().empty());
  CHECK_EQ(home.run({"daemon", "status"}).code, 3);
  CHECK_EQ(home.run({"daemon", "status", "--json"}).code, 3);
}

TEST_CASE("starting what runs says that variables do not count for it any more, unless it has them") {
  CliHome home;
  const auto daemon = home.start_daemon({}, {.env = {"SANDBOX_AGENT_LOG=warn"}});
  const auto warns = [&](const std::string& variable) {
    const auto started = home.run({"daemon", "start"}, {.env = {variable}});
    CHECK_EQ(started.code, 0);
    return contains(started.err, "it keeps the settings");
  };
  CHECK(warns("SANDBOX_AGENT_LOG=debug"));
  CHECK(warns("SANDBOX_AGENT_REQUIRE_PREINSTALL=1"));
  CHECK(warns("SANDBOX_AGENT_PORT=" + std::to_string(daemon.port() + 1)));
  CHECK_FALSE(warns("SANDBOX_AGENT_LOG=warn"));
  CHECK_FALSE(warns("SANDBOX_AGENT_PORT=" + std::to_string(daemon.port())));
  CHECK_FALSE(warns("SANDBOX_AGENT_REQUIRE_PREINSTALL=0"));
  CHECK_FALSE(warns("SANDBOX_AGENT_AGENT=mock"));
}

TEST_CASE("starting what runs and stopping what does not succeed and say so") {
  CliHome home;
  const auto pid = home.start_daemon().pid();
  const auto again = home.run({"daemon", "start"});
  CHECK_EQ(again.code, 0);
  CHECK(contains(again.all(), "already"));
  CHECK_EQ(home.daemon().pid(), pid);
  CHECK_EQ(home.run({"daemon", "stop"}).code, 0);
  const auto nothing = home.run({"daemon", "stop"});
  CHECK_EQ(nothing.code, 0);
  CHECK_FALSE(nothing.all().empty());
}

TEST_CASE("a daemon whose state file was lost is stopped all the same") {
  CliHome home;
  const auto daemon = home.start_daemon();
  REQUIRE(std::filesystem::remove(daemon.file));
  CHECK_EQ(home.run({"daemon", "stop"}).code, 0);
  CHECK_FALSE(alive(daemon.pid()));
  CHECK_EQ(home.run({"daemon", "start", "--port", "0"}).code, 0);
}

TEST_CASE("a second stop ends when the daemon has, as the first does") {
  CliHome home;
  const auto script = home.path() / "stubborn";
  write_file(script, "#!/bin/sh\ntrap '' TERM\ntouch \"$0.deaf\"\nuntil [ -e \"$0.over\" ]; do sleep 0.1; done\n", true);
  const auto daemon = home.start_daemon({"--agent", "stubborn=" + script.string(), "--stop-grace-ms", "20000"});
  Acp acp(daemon.api(), "x", "stubborn");
  REQUIRE_EQ(acp.notify("hello", "{}").status, 202);
  REQUIRE(eventually([&] { return std::filesystem::exists(script.string() + ".deaf"); }));
  const auto first = home.start({"daemon", "stop"});
  REQUIRE(eventually([&] { return home.daemons().empty(); }));
  CHECK(alive(daemon.pid()));
  const auto second = home.start({"daemon", "stop"});
  CHECK_FALSE(second->process().wait(milliseconds(500)).has_value());
  write_file(script.string() + ".over", "");
  CHECK_EQ(second->end().code, 0);
  CHECK_FALSE(alive(daemon.pid()));
  CHECK_EQ(first->end().code, 0);
}

TEST_CASE("a daemon that is started for a command takes the token of that command, and the next one finds it with it") {
  for (const bool by_file : {true, false}) {
    CAPTURE(by_file);
    CliHome home;
    write_file(home.path() / "token", "its-own-token\n");
    const std::vector<std::string> token =
        by_file ? std::vector<std::string>{"--token-file", "token"} : std::vector<std::string>{"--token", "its-own-token"};
    const auto with_token = [&](std::vector<std::string> words) {
      words.insert(words.end(), token.begin(), token.end());
      return home.run(words);
    };
    const auto started = with_token({"up", "--no-open"});
    INFO(started.all());
    REQUIRE_EQ(started.code, 0);
    CHECK_EQ(with_token({"ps"}).code, 0);
    CHECK_EQ(home.run({"ps"}, {.env = {"SANDBOX_AGENT_TOKEN=its-own-token"}}).code, 0);
    CHECK_EQ(home.run({"ps"}, {.env = {"SANDBOX_AGENT_TOKEN=another"}}).code, 4);
    CHECK_FALSE(
        contains(read_file(std::filesystem::path("/proc") / std::to_string(home.daemon().pid()) / "cmdline"), "its-own"));
  }
}

TEST_CASE("starting what runs but does not answer says so") {
  CliHome home;
  const auto pid = home.start_daemon().pid();
  ::kill(pid, SIGSTOP);
  const auto again = home.run({"daemon", "start"});
  ::kill(pid, SIGCONT);
  CHECK_EQ(again.code, 3);
  CHECK(contains(again.err, "does not answer"));
}

TEST_CASE("a daemon that was just killed is started again") {
  CliHome home;
  pid_t pid = home.start_daemon().pid();
  for (int i = 0; i < 5; ++i) {
    ::kill(pid, SIGKILL);
    REQUIRE_EQ(home.run({"daemon", "start", "--port", "0"}).code, 0);
    REQUIRE_EQ(home.run({"daemon", "status"}).code, 0);
    CHECK_NE(home.daemon().pid(), pid);
    pid = home.daemon().pid();
  }
}

// What runs but does not answer may be ending: who is killed closes its sockets before it is gone.
TEST_CASE("a daemon that takes no connections any more, and is gone a moment later, is one that was") {
  for (const Words& start : {Words{"daemon", "start", "--port", "0"}, Words{"up", "--no-open"}}) {
    CAPTURE(start.front());
    CliHome home;
    auto former = home.start_daemon();
    REQUIRE_EQ(home.run({"daemon", "stop"}).code, 0);
    const Process ending({.argv = {"/bin/sleep", "0.5"}});
    former.state["pid"] = ending.pid();
    former.state["startTicks"] = sighting_of(ending.pid()).born;
    write_file(former.file, boost::json::serialize(former.state));
    const auto started = home.run(start);
    INFO(started.all());
    CHECK_EQ(started.code, 0);
    CHECK_NE(home.daemon().pid(), ending.pid());
  }
}

TEST_CASE("blanks around a token are no part of it, and one of blanks alone is refused") {
  CliHome home;
  const std::vector<std::string> start{"daemon", "start", "--port", "0"};
  const auto refused = home.run(start, {.env = {"SANDBOX_AGENT_TOKEN= "}});
  CHECK_EQ(refused.code, 2);
  CHECK(contains(refused.err, "the token from SANDBOX_AGENT_TOKEN is blank"));
  REQUIRE_EQ(home.run(start, {.env = {"SANDBOX_AGENT_TOKEN= one "}}).code, 0);
  for (const std::string token : {"SANDBOX_AGENT_TOKEN= one ", "SANDBOX_AGENT_TOKEN=one"}) {
    CAPTURE(token);
    CHECK_EQ(home.run({"ps"}, {.env = {token}}).code, 0);
  }
  CHECK_EQ(home.run({"ps"}, {.env = {"SANDBOX_AGENT_TOKEN=o ne"}}).code, 4);
}

TEST_CASE("starting what runs says that it has another token") {
  CliHome home;
  const std::vector<std::string> start{"daemon", "start", "--port", "0"};
  REQUIRE_EQ(home.run(start, {.env = {"SANDBOX_AGENT_TOKEN=one"}}).code, 0);
  const auto other = home.run({"daemon", "start"}, {.env = {"SANDBOX_AGENT_TOKEN=another"}});
  CHECK_EQ(other.code, 0);
  CHECK(contains(other.err, "the token it was started with"));
  CHECK_FALSE(contains(home.run({"daemon", "start"}, {.env = {"SANDBOX_AGENT_TOKEN=one"}}).err, "warning"));
  CHECK_FALSE(contains(home.run({"daemon", "start"}).err, "warning"));
}

TEST_CASE("the state is for its user alone, and the log is where it belongs") {
  CliHome home;
  const auto daemon = home.start_daemon();
  const auto mode = [](const std::filesystem::path& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions());
  };
  CHECK_EQ(mode(daemon.file), 0600);
  CHECK_EQ(mode(home.state_folder()) & 077U, 0);
  CHECK(std::filesystem::exists(home.state_folder() / "daemon.log"));
  CHECK_FALSE(contains(read_file(home.state_folder() / "daemon.log"), daemon.token()));
}

TEST_CASE("twenty starts at once make one daemon, and all tell its address") {
  CliHome home;
  std::vector<std::unique_ptr<RunningCommand>> starts;
  for (int i = 0; i < 20; ++i) starts.push_back(home.start({"daemon", "start", "--port", "0"}));
  std::set<std::string> addresses;
  for (const auto& start : starts) {
    const auto ended = start->end(milliseconds(20000));
    INFO(ended.all());
    CHECK_EQ(ended.code, 0);
    addresses.insert(address_in(ended.all()));
  }
  CHECK_EQ(addresses, std::set<std::string>{home.daemon().url()});
}

TEST_CASE("after a daemon was killed the next run starts another and clears up") {
  CliHome home;
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  const auto former = home.daemon().pid();
  kill(former, SIGKILL);
  REQUIRE(eventually([&] { return !alive(former); }));
  CHECK_EQ(home.run({"daemon", "status"}).code, 3);
  const auto ended = home.run({"run", "hello"});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK_NE(home.daemon().pid(), former);
}

TEST_CASE("a daemon that is killed in the middle of a turn leaves no agent, and the command can be left") {
  CliHome home;
  const auto daemon = home.start_daemon();
  const auto command = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return contains(command->out(), "step 2 of 1000"); }));
  kill(daemon.pid(), SIGKILL);
  CHECK(home.agents_gone_within());
  command->process().signal(SIGINT);
  REQUIRE(eventually([&] { return contains(command->err(), "cancel"); }));
  command->process().signal(SIGINT);
  CHECK_EQ(command->end().code, 130);
}

TEST_CASE("an idle daemon ends by itself and takes its state along") {
  CliHome home;
  REQUIRE_EQ(home.run({"daemon", "start", "--port", "0", "--idle-exit-ms", "1500"}).code, 0);
  CHECK(eventually([&] { return home.daemons().empty(); }));
  CHECK(eventually([&] { return marked_processes(home.mark()).empty(); }));
  CHECK_EQ(home.run({"daemon", "status"}).code, 3);
}

TEST_CASE("a daemon with an instance is not idle") {
  CliHome home;
  REQUIRE_EQ(home.run({"daemon", "start", "--port", "0", "--idle-exit-ms", "1500"}).code, 0);
  const auto daemon = home.daemon();
  Acp acp(daemon.api(), "x", "mock");
  REQUIRE_EQ(acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);
  CHECK_FALSE(eventually([&] { return !alive(daemon.pid()); }, milliseconds(3000)));
  CHECK_EQ(acp.remove().status, 204);
  CHECK(eventually([&] { return !alive(daemon.pid()); }));
}

TEST_CASE("run and up say what they started and that it stops when idle") {
  CliHome home;
  const auto ended = home.run({"run", "hello"});
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.err, "daemon started"));
  CHECK(contains(ended.err, std::to_string(home.daemon().port())));
  CHECK_FALSE(contains(home.run({"run", "hello"}).err, "daemon started"));
}

TEST_CASE("who reads a command's output meets its end, though the daemon it started lives on") {
  CliHome home;
  const auto script = home.path() / "script";
  write_file(script,
             "#!/bin/sh\nall=$(\"$1\" run hello 2>&1)\necho read $?\nup=$(\"$1\" daemon stop 2>&1; \"$1\" up --no-open 2>&1)\n",
             true);
  Launch launch{.argv = {script, binary_under_test()}, .env = clean_environment(home.path(), home.mark()), .cwd = home.path()};
  launch.stdout_file = home.path() / "script-out";
  Process shell(launch);
  const auto ending = shell.wait(milliseconds(20000));
  REQUIRE(ending.has_value());
  CHECK_EQ(ending->code, 0);
  CHECK_EQ(read_file(launch.stdout_file), "read 0\n");
  CHECK(alive(home.daemon().pid()));
}

TEST_CASE("a daemon outlives the terminal it was started from") {
  CliHome home;
  {
    const auto terminal = home.on_terminal({"run", "hello"});
    REQUIRE_EQ(terminal->code(), 0);
    terminal->hang_up();
  }
  const auto daemon = home.daemon();
  CHECK(alive(daemon.pid()));
  CHECK_EQ(daemon.api().get("/v1/health").status, 200);
}

TEST_CASE("when somebody has the usual port another one is taken, but not instead of one that was asked for") {
  CliHome home;
  CliHome another;
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  REQUIRE_EQ(another.run({"run", "hello"}).code, 0);
  CHECK_NE(home.daemon().port(), another.daemon().port());

  CliHome third;
  const auto taken = third.run({"run", "hello"}, {.env = {"SANDBOX_AGENT_PORT=" + std::to_string(home.daemon().port())}});
  INFO(taken.err);
  CHECK_EQ(taken.code, 1);
  CHECK(contains(taken.err, "already in use"));
  CHECK(contains(taken.err, "try: pick another with SANDBOX_AGENT_PORT"));
}

TEST_CASE("wrong settings of a start exit 2, a taken port 1, and nothing is left") {
  CliHome home;
  CHECK_EQ(home.run({"daemon", "start", "--port", "seventy"}).code, 2);
  CHECK_EQ(home.run({"daemon", "start", "--no-such-flag"}).code, 2);
  Daemon holder;
  const auto taken = home.run({"daemon", "start", "--port", std::to_string(holder.port())});
  CHECK_EQ(taken.code, 1);
  CHECK(contains(taken.err, "already in use"));
  CHECK(contains(taken.err, "try: pick another with --port"));
  CHECK(home.daemons().empty());
}

TEST_CASE("SANDBOX_AGENT_PORT is used when it is free") {
  CliHome home;
  std::uint16_t port = 0;
  {
    Daemon former;
    port = former.port();
  }
  const auto ended = home.run({"run", "hello"}, {.env = {"SANDBOX_AGENT_PORT=" + std::to_string(port)}});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK_EQ(home.daemon().port(), port);
}

TEST_CASE("a port taken by the user's own daemon leads to that daemon") {
  CliHome home;
  home.start_daemon();
  const auto ended = home.run({"server", "--port", std::to_string(home.daemon().port())});
  CHECK_EQ(ended.code, 1);
  CHECK(contains(ended.err, "try: sandbox-agent ui   — or pick another with --port"));
}

TEST_CASE("options may stand in front of the command") {
  CliHome home;
  home.start_daemon();
  CHECK_EQ(home.run({"--json", "--quiet", "ps"}).out, "{\"servers\":[]}\n");
  CHECK_EQ(home.run({"--color", "never", "daemon", "status"}).code, 0);
}

TEST_SUITE_END();
