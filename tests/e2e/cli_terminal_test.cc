#include <doctest/doctest.h>

#include "support/cli_home.h"

using namespace rig;

namespace {

constexpr std::string_view escape = "\x1b";

std::size_t characters_in(std::string_view line) {
  std::size_t count = 0;
  for (const char c : line) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

}  // namespace

TEST_SUITE_BEGIN("cli_terminal");

TEST_CASE("help and the table of agents fit a terminal of 80 columns, and a registry that nobody asked is not called names") {
  CliHome home;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"help", "run"}, {"help"}, {"agents"}}) {
    TerminalLaunch launch{
        .argv = {binary_under_test()}, .env = clean_environment(home.path(), home.mark()), .cwd = home.path(), .columns = 80};
    launch.argv.insert(launch.argv.end(), words.begin(), words.end());
    Terminal terminal(launch);
    CHECK_EQ(terminal.code(), 0);
    for (const std::string& line : lines_of(terminal.text())) CHECK_LE(characters_in(line), 80);
    CHECK_FALSE(contains(terminal.text(), "unreachable"));
    if (words.front() == "agents") CHECK(contains(terminal.text(), "not asked"));
  }
}

TEST_CASE("without a terminal there is not one escape byte, --verbose or not") {
  CliHome home;
  for (const Words& words :
       {Words{"run", "/edit"}, {"run", "--verbose", "/markdown"}, {"run", "/error"}, {"run", "-a", "mokc", "x"}}) {
    INFO(words[1]);
    const auto ended = home.run(words, {.env = {"TERM=xterm-256color"}});
    CHECK_FALSE(ended.all().empty());
    CHECK_FALSE(contains(ended.all(), escape));
  }
}

TEST_CASE("on a terminal there are colours, unless somebody does not want them") {
  CliHome home;
  home.start_daemon();
  const auto screen_of = [&](const Words& words, const Words& env = {}) {
    const auto terminal = home.on_terminal(words, {.env = env});
    CHECK_EQ(terminal->code(), 0);
    CHECK(contains(terminal->text(), "no file was touched"));
    return terminal->screen();
  };
  CHECK(contains(screen_of({"run", "/edit"}), "\x1b["));
  CHECK_FALSE(contains(screen_of({"run", "/edit"}, {"NO_COLOR=1"}), "\x1b[3"));
  CHECK_FALSE(contains(screen_of({"run", "--color", "never", "/edit"}), "\x1b[3"));
  CHECK_FALSE(contains(screen_of({"run", "/edit"}, {"NO_COLOR=1"}), "\x1b[1m"));
  CHECK_FALSE(contains(screen_of({"run", "--color", "never", "/edit"}), "m\x1b[0m"));
}

TEST_CASE("--color always paints without a terminal too, but never the answer's own bytes") {
  CliHome home;
  const auto ended = home.run({"run", "--color", "always", "/edit"});
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.err, "\x1b["));
  CHECK_EQ(ended.out, demo_answer(home.daemon().api(), "/edit"));
}

TEST_CASE("what an agent says cannot command the terminal, and still reaches a file byte for byte") {
  CliHome home;
  const auto truth = home.start_daemon().api();
  const std::string evil =
      "a \x1b]0;title\a b \x1b[2J c \xc2\x9b"
      "2J e";
  const auto terminal = home.on_terminal({"run", evil});
  CHECK_EQ(terminal->code(), 0);
  CHECK_FALSE(contains(terminal->screen(), "\x1b]0;"));
  CHECK_FALSE(contains(terminal->screen(), "\x1b[2J"));
  CHECK_FALSE(contains(terminal->screen(), "\xc2\x9b"));  // the same as ESC [, as one character
  CHECK_FALSE(contains(terminal->screen(), "\a"));
  CHECK_EQ(home.run({"run", evil}).out, demo_answer(truth, evil));
  const auto refused = home.run({"run", "no text: \x9b"});
  CHECK_EQ(refused.code, 2);
  CHECK(contains(refused.err, "UTF-8"));
}

TEST_CASE("stdout in a file is the answer alone while the terminal shows the rest") {
  CliHome home;
  const auto truth = home.start_daemon().api();
  const auto file = home.path() / "answer";
  const auto terminal = home.on_terminal({"run", "/edit"}, {.stdout_file = file});
  CHECK_EQ(terminal->code(), 0);
  CHECK_EQ(read_file(file), demo_answer(truth, "/edit"));
  CHECK(contains(terminal->text(), "Edit greeting.py"));
  CHECK_FALSE(contains(terminal->text(), "no file was touched"));
}

TEST_CASE("without a prompt a terminal is a chat: prompts and answers until Ctrl-D") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  terminal->type("purple elephants\r");
  REQUIRE(terminal->wait_for("You said: \"purple elephants\""));
  REQUIRE(terminal->wait_for("I can show you"));
  terminal->type("green giraffes\r");
  REQUIRE(terminal->wait_for("You said: \"green giraffes\""));
  CHECK_EQ(home.daemon().api().servers().size(), 1);
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
  CHECK(home.daemon().api().servers().empty());
  CHECK(home.agents_gone_within());
}

TEST_CASE("both prompts of a chat belong to one conversation") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  terminal->type("one\r");
  REQUIRE(terminal->wait_for("You said: \"one\""));
  terminal->type("two\r");
  REQUIRE(terminal->wait_for("You said: \"two\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
  std::size_t opened = 0;
  for (const auto& line : lines_of(home.heard("mock"))) opened += contains(line, "session/new") ? 1 : 0;
  CHECK_EQ(opened, 1);
}

TEST_CASE("Ctrl-C at the prompt leaves the chat") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  terminal->type("purple elephants\r");
  REQUIRE(terminal->wait_for("I can show you"));
  REQUIRE(eventually([&] { return terminal->text().ends_with("› "); }));
  terminal->type(Terminal::ctrl_c);
  const auto ending = terminal->wait();
  REQUIRE(ending.has_value());
  CHECK_EQ(ending->signal, 0);
  CHECK(home.agents_gone_within());
}

TEST_CASE("Ctrl-C during a turn of a chat ends the turn, not the chat") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  terminal->type("/slow 1000\r");
  REQUIRE(terminal->wait_for("step 2 of"));
  terminal->type(Terminal::ctrl_c);
  REQUIRE(terminal->wait_for("cancelled"));
  terminal->type("still there\r");
  CHECK(terminal->wait_for("You said: \"still there\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("each turn of a chat takes a first Ctrl-C of its own") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  for (const std::string count : {"1000", "2000"}) {
    INFO(count);
    terminal->type("/slow " + count + "\r");
    REQUIRE(terminal->wait_for("step 2 of " + count));
    terminal->type(Terminal::ctrl_c);
    REQUIRE(eventually([&] {
      const auto servers = home.daemon().api().servers();
      return servers.empty() || servers[0].at("pendingRequests").to_number<int>() == 0;
    }));
  }
  terminal->type("still there\r");
  CHECK(terminal->wait_for("You said: \"still there\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("--no-input on a terminal is no chat") {
  CliHome home;
  const auto terminal = home.on_terminal({"run", "--no-input"});
  CHECK_EQ(terminal->code(), 2);
}

TEST_SUITE_END();
