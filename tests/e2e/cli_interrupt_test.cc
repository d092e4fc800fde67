#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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
  // Nothing more goes in, as who writes to it sees it.
  bool full_within(milliseconds patience) const {
    const int writing = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    pollfd output{.fd = writing, .events = POLLOUT, .revents = 0};
    const bool full = eventually([&] { return poll(&output, 1, 0) == 0; }, patience);
    close(writing);
    return full;
  }
  void leave() {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

// Whether a command has come so far that it does something of its own with this signal.
bool catches(pid_t pid, int number) {
  static constexpr std::string_view name = "SigCgt:";
  std::error_code none;
  if (!std::filesystem::equivalent("/proc/" + std::to_string(pid) + "/exe", binary_under_test(), none)) return false;
  const std::string status = read_file("/proc/" + std::to_string(pid) + "/status");
  const auto at = status.find(name);
  return at != std::string::npos && (std::stoull(status.substr(at + name.size()), nullptr, 16) >> (number - 1) & 1) != 0;
}

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
  CHECK_EQ(terminal->code(), 130);
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
  const auto ended = command->end();
  CHECK_EQ(ended.code, 130);
  CHECK(contains(ended.err, "cancelled"));
  CHECK(home.agents_gone_within());
}

TEST_CASE("a second Ctrl-C leaves an agent that ignores the first") {
  const auto limit = scaled(milliseconds(1500));
  const auto took = best_of_three(limit, [] {
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
    const auto left_after = since(start);
    CHECK(home.agents_gone_within());
    CHECK(daemon.api().servers().empty());
    return left_after;
  });
  CHECK_LT(took, limit);
}

TEST_CASE("SIGTERM and a hang-up leave no agent") {
  CliHome home;
  const auto daemon = home.start_daemon();
  const auto terminated = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return contains(terminated->out(), "step 2 of 1000"); }));
  terminated->process().signal(SIGTERM);
  CHECK_EQ(terminated->end().code, 130);
  CHECK(home.agents_gone_within());

  const auto hung_up = home.on_terminal({"run", "/slow 1000"});
  REQUIRE(hung_up->wait_for("step 2 of 1000"));
  hung_up->hang_up();
  CHECK(hung_up->wait().has_value());
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
    CHECK_EQ(terminal->code(), 131);
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
  CHECK(terminal->wait().has_value());
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
    REQUIRE(pipe.readable_within(milliseconds(10000)));
    pipe.leave();
    REQUIRE(command->process().wait(milliseconds(10000)).has_value());
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
    REQUIRE(pipe.full_within(milliseconds(10000)));
    command->process().signal(number);
    if (number == SIGINT) {  // heard between two writes, it cancels the turn first
      CHECK(eventually([&] { return command->process().wait(milliseconds(0)) || contains(command->err(), "cancelling"); }));
      command->process().signal(number);
    }
    CHECK(command->process().wait(milliseconds(10000)).has_value());
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
  const auto ended = command->end();
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
  const auto ended = command->end();
  CHECK((ended.code == 3 || ended.code == 6));
}

TEST_CASE("--timeout ends a turn that does not end, and exits 8") {
  CliHome home;
  home.start_daemon();
  const auto limit = scaled(milliseconds(6000));
  const auto took = best_of_three(limit, [&] {
    const auto ended = home.run({"run", "--timeout", "1", "/hang"}, {}, milliseconds(20000));
    CHECK_EQ(ended.code, 8);
    CHECK_GE(ended.took, milliseconds(1000));
    CHECK(home.agents_gone_within());
    return contains(ended.out, "I ignore cancel") ? ended.took : limit;  // the time was over before the turn began
  });
  CHECK_LT(took, limit);
  const auto slow = home.run({"run", "--timeout", "1", "/slow 1000"});
  CHECK_EQ(slow.code, 8);
  CHECK(home.agents_gone_within());
}

TEST_CASE("Ctrl-C is heard while the agent says more than can be shown") {
  CliHome home;
  const auto command = home.start({"run", "/flood 3000000"});
  REQUIRE(eventually([&] { return !command->out().empty(); }));
  command->process().signal(SIGINT);
  const auto ended = command->end();
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

TEST_CASE("an export that is interrupted while nobody reads it says so") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  REQUIRE_EQ(talk.prompt("/flood 5000").status, 200);
  Fifo pipe(here.home.path() / "pipe");
  const auto exporting = here.home.start({"trace", "export", "talking"}, {.stdout_file = pipe.path});
  REQUIRE(pipe.full_within(milliseconds(10000)));
  exporting->process().signal(SIGTERM);
  const auto ending = exporting->process().wait(milliseconds(10000));
  REQUIRE(ending.has_value());
  CHECK_EQ(ending->code, 130);
}

TEST_CASE("what goes into a pipe by --output can be interrupted when its reader has stopped reading") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  REQUIRE_EQ(talk.prompt("/flood 5000").status, 200);
  write_file(here.home.path() / "large", std::string(1'000'000, 'x'));
  const Words download{"api", "fs", "read", "--path", (here.home.path() / "large").string(), "-o", "pipe"};
  for (const Words& words : {Words{"trace", "export", "talking", "-o", "pipe"}, download}) {
    INFO(words[0]);
    const Fifo pipe(here.home.path() / "pipe");
    const auto command = here.home.start(words);
    REQUIRE(pipe.full_within(milliseconds(10000)));
    command->process().signal(SIGINT);
    CHECK_EQ(command->end().code, 130);
    std::filesystem::remove(pipe.path);
  }
}

TEST_CASE("a pipe given as --output waits for its reader, until Ctrl-C") {
  WatchedDaemon here;
  const DemoTalk talk(here.daemon, "talking");
  write_file(here.home.path() / "small", "x");
  REQUIRE_EQ(mkfifo((here.home.path() / "pipe").c_str(), 0600), 0);
  const Words download{"api", "fs", "read", "--path", (here.home.path() / "small").string(), "-o", "pipe"};
  for (const Words& words : {Words{"trace", "export", "talking", "-o", "pipe"}, download}) {
    INFO(words[0]);
    const auto interrupted = here.home.start(words);
    CHECK(eventually([&] { return catches(interrupted->process().pid(), SIGINT); }));
    interrupted->process().signal(SIGINT);
    CHECK_EQ(interrupted->end().code, 130);
    const auto waiting = here.home.start(words);
    CHECK(eventually([&] { return catches(waiting->process().pid(), SIGINT); }));
    const int reading = open((here.home.path() / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CHECK_EQ(waiting->end().code, 0);
    char first = 0;
    CHECK_EQ(read(reading, &first, 1), 1);
    close(reading);
  }
}

TEST_CASE("logs --trace -f ends when its reader has had enough") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  Fifo pipe(here.home.path() / "pipe");
  const auto following = here.home.start({"logs", "--trace", "--follow", "talking"}, {.stdout_file = pipe.path});
  REQUIRE(pipe.readable_within(milliseconds(10000)));
  pipe.leave();
  REQUIRE_EQ(talk.prompt("more").status, 200);
  const auto ending = following->process().wait(milliseconds(10000));
  REQUIRE(ending.has_value());
  CHECK_EQ(ending->code, 0);
}

TEST_SUITE_END();
