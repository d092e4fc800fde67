#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_instances.h"
#include "support/cli_home.h"
#include "support/survivors.h"

using namespace rig;

namespace {

// A pipe with a name; the reading end is ours.
struct Fifo {
  std::filesystem::path path;
  int fd = -1;

  explicit Fifo(std::filesystem::path at) : path(std::move(at)) {
    if (mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("cannot make a fifo");
    fd = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }
  ~Fifo() { leave(); }
  Fifo(const Fifo&) = delete;
  Fifo& operator=(const Fifo&) = delete;

  bool readable_within(milliseconds patience) const {
    pollfd input{.fd = fd, .events = POLLIN, .revents = 0};
    return poll(&input, 1, static_cast<int>(scaled(patience).count())) > 0;
  }
  // Nobody has read from it for a while, and nothing more goes in.
  bool full_within(milliseconds patience) const {
    int before = 0;
    int now = 0;
    return eventually(
        [&] {
          before = now;
          usleep(20'000);
          return ioctl(fd, FIONREAD, &now) == 0 && now > 0 && now == before;
        },
        patience);
  }
  void leave() {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

}  // namespace

TEST_SUITE_BEGIN("cli_interrupt");

TEST_CASE("Ctrl-C once cancels the turn, ends the instance and exits 130") {
  CliHome home;
  home.record_agent();
  const auto daemon = home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/slow 1000"});
  REQUIRE(terminal->wait_for("step 2 of 1000"));
  REQUIRE_FALSE(home.agents().empty());
  terminal->type(Terminal::ctrl_c);
  CHECK_EQ(terminal->code(milliseconds(3000)), 130);
  CHECK(contains(terminal->text(), "cancelled"));
  CHECK(contains(home.heard("mock"), "session/cancel"));
  CHECK(daemon.api().servers().empty());
  CHECK(home.agents_gone_within(milliseconds(500)));
  CHECK(alive(daemon.pid()));
}

TEST_CASE("a daemon that the interrupted command started stays") {
  CliHome home;
  const auto terminal = home.on_terminal({"run", "/slow 1000"});
  REQUIRE(terminal->wait_for("step 2 of 1000"));
  terminal->type(Terminal::ctrl_c);
  CHECK_EQ(terminal->code(), 130);
  CHECK(alive(home.daemon().pid()));
  CHECK(home.daemon().api().servers().empty());
}

TEST_CASE("SIGINT without a terminal is a Ctrl-C") {
  CliHome home;
  home.start_daemon();
  const auto command = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return contains(command->out(), "step 2 of 1000"); }));
  command->process().signal(SIGINT);
  const auto ended = command->end(milliseconds(3000));
  CHECK_EQ(ended.code, 130);
  CHECK(contains(ended.err, "cancelled"));
  CHECK(home.agents_gone_within());
}

TEST_CASE("a second Ctrl-C leaves an agent that ignores the first") {
  CliHome home;
  home.record_agent();
  const auto daemon = home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/hang"});
  REQUIRE(terminal->wait_for("I ignore cancel"));
  terminal->type(Terminal::ctrl_c);
  REQUIRE(eventually([&] { return contains(home.heard("mock"), "session/cancel"); }));
  const auto start = Clock::now();
  terminal->type(Terminal::ctrl_c);
  CHECK_EQ(terminal->code(), 130);
  CHECK_LT(since(start), scaled(milliseconds(1500)));
  CHECK(home.agents_gone_within());
  CHECK(daemon.api().servers().empty());
}

TEST_CASE("SIGTERM and a hang-up leave no agent") {
  CliHome home;
  const auto daemon = home.start_daemon();
  const auto terminated = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return contains(terminated->out(), "step 2 of 1000"); }));
  terminated->process().signal(SIGTERM);
  CHECK_NE(terminated->end(milliseconds(3000)).code, 0);
  CHECK(home.agents_gone_within());

  const auto hung_up = home.on_terminal({"run", "/slow 1000"});
  REQUIRE(hung_up->wait_for("step 2 of 1000"));
  hung_up->hang_up();
  CHECK(hung_up->wait(milliseconds(3000)).has_value());
  CHECK(home.agents_gone_within());
  CHECK(daemon.api().servers().empty());
}

TEST_CASE("Ctrl-\\ leaves no agent and exits 131, also at a question, and the terminal is as it was") {
  CliHome home;
  const auto daemon = home.start_daemon();
  for (const auto& [prompt, shown] : {std::pair("/slow 1000", "step 2 of 1000"), {"/permission", "Reject"}}) {
    INFO(prompt);
    const auto terminal = home.on_terminal({"run", prompt});
    REQUIRE(terminal->wait_for(shown));
    terminal->type("\x1c");
    CHECK_EQ(terminal->code(milliseconds(3000)), 131);
    CHECK(terminal->echoes());
    CHECK(home.agents_gone_within());
    CHECK(daemon.api().servers().empty());
  }
}

TEST_CASE("a hang-up while the terminal is asked leaves no agent") {
  CliHome home;
  const auto daemon = home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/permission"});
  REQUIRE(terminal->wait_for("Reject"));
  terminal->hang_up();
  CHECK(terminal->wait(milliseconds(3000)).has_value());
  CHECK(home.agents_gone_within());
  CHECK(daemon.api().servers().empty());
}

TEST_CASE("a reader of stdout that leaves ends the turn and leaves no agent") {
  CliHome home;
  const auto daemon = home.start_daemon();
  for (const std::string prompt : {"/slow 1000", "/flood 1000000"}) {
    INFO(prompt);
    Fifo pipe(home.path() / ("pipe" + std::to_string(prompt.size())));
    const auto command = home.start({"run", prompt}, {.stdout_file = pipe.path});
    REQUIRE(pipe.readable_within(milliseconds(5000)));
    pipe.leave();
    REQUIRE(command->process().wait(milliseconds(4000)).has_value());
    CHECK(home.agents_gone_within());
    CHECK(daemon.api().servers().empty());
  }
}

TEST_CASE("a reader of stdout that has stopped reading does not keep the command from being ended") {
  CliHome home;
  const auto daemon = home.start_daemon();
  for (const int number : {SIGINT, SIGTERM}) {
    INFO("signal ", number);
    Fifo pipe(home.path() / ("pipe" + std::to_string(number)));
    const auto command = home.start({"run", "/flood 1000000"}, {.stdout_file = pipe.path});
    REQUIRE(pipe.full_within(milliseconds(5000)));
    command->process().signal(number);
    if (number == SIGINT && !command->process().wait(milliseconds(500))) command->process().signal(number);
    CHECK(command->process().wait(milliseconds(2000)).has_value());
    command->process().signal(SIGKILL);
    CHECK(home.agents_gone_within());
    CHECK(daemon.api().servers().empty());
  }
}

TEST_CASE("somebody else who stops the instance ends the command with exit 6") {
  CliHome home;
  const auto daemon = home.start_daemon();
  const auto command = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return contains(command->out(), "step 2 of 1000"); }));
  const auto servers = daemon.api().servers();
  REQUIRE_EQ(servers.size(), 1);
  REQUIRE_EQ(home.run({"stop", std::string(servers[0].at("serverId").as_string())}).code, 0);
  const auto ended = command->end(milliseconds(3000));
  CHECK_EQ(ended.code, 6);
  CHECK(contains(ended.err, "error: "));
}

TEST_CASE("a daemon that is stopped during a turn ends the turn too") {
  CliHome home;
  home.start_daemon();
  const auto command = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return contains(command->out(), "step 2 of 1000"); }));
  CHECK_EQ(home.run({"daemon", "stop"}).code, 0);
  CHECK(home.agents().empty());
  const auto ended = command->end(milliseconds(3000));
  CHECK((ended.code == 3 || ended.code == 6));
}

TEST_CASE("--timeout ends a turn that does not end, and exits 8") {
  CliHome home;
  home.start_daemon();
  const auto ended = home.run({"run", "--timeout", "1", "/hang"});
  CHECK_EQ(ended.code, 8);
  CHECK_GE(ended.took, milliseconds(1000));
  CHECK_LT(ended.took, scaled(milliseconds(6000)));
  CHECK(contains(ended.out, "I ignore cancel"));
  CHECK(home.agents_gone_within());
  const auto slow = home.run({"run", "--timeout", "1", "/slow 1000"});
  CHECK_EQ(slow.code, 8);
  CHECK(home.agents_gone_within());
}

TEST_CASE("Ctrl-C is heard while the agent says more than can be shown") {
  CliHome home;
  const auto command = home.start({"run", "/flood 3000000"});
  REQUIRE(eventually([&] { return !command->out().empty(); }));
  command->process().signal(SIGINT);
  const auto ended = command->end(milliseconds(5000));
  CHECK_EQ(ended.code, 130);
  CHECK(contains(ended.err, "cancelled"));
}

TEST_CASE("--timeout also ends the wait for an agent that never says a word") {
  WatchedDaemon here;
  const auto ended = here.home.run({"run", "--agent", "silent", "--timeout", "0.5", "hello"});
  CHECK_EQ(ended.code, 8);
  CHECK(contains(ended.err, "0.5 s"));
  CHECK(eventually([&] { return here.home.run({"ps", "--json"}).out == "{\"servers\":[]}\n"; }));
}

TEST_SUITE_END();
