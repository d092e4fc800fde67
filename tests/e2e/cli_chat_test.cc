#include <doctest/doctest.h>
#include <signal.h>

#include "cli_scripted.h"

using namespace rig;

namespace {

// Whether the terminal was last told to put pastes in brackets, which is during the whole chat.
bool takes_pastes(Terminal& terminal) {
  const std::string& screen = terminal.screen();
  const auto on = screen.rfind("\x1b[?2004h"), off = screen.rfind("\x1b[?2004l");
  return on != std::string::npos && (off == std::string::npos || off < on);
}

// A line can be edited: Ctrl-C and Ctrl-Z are keys now.
bool is_at_prompt(Terminal& terminal) {
  return eventually([&] { return terminal.text().ends_with("› "); });
}

std::size_t times_in(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

constexpr std::string_view ctrl_z = "\x1a";
constexpr milliseconds slow_turn{15'000};

// A shell with jobs, which knows the program as $it.
std::unique_ptr<Terminal> shell_on_terminal(const CliHome& home, const std::string& command = "$it run") {
  TerminalLaunch launch{.argv = {"/bin/sh", "-i"}, .env = clean_environment(home.path(), home.mark()), .cwd = home.path()};
  for (const std::string variable : {"TERM=xterm-256color", "PS1=shell: ", "ENV="}) launch.env.push_back(variable);
  launch.env.push_back("it=" + std::string(binary_under_test()));
  auto terminal = std::make_unique<Terminal>(launch);
  terminal->type(command + "\n");
  return terminal;
}

// Once it has answered the shell has the terminal.
bool shell_answers(Terminal& terminal, const std::string& word) {
  terminal.type("echo an''swer " + word + "\n");
  return terminal.wait_for("answer " + word + "\n");
}

}  // namespace

TEST_SUITE_BEGIN("cli_chat");

TEST_CASE("a line of a chat is edited, and one of before comes back with Up") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("purpel elephants\x1b[1;5D\x1b[D\x7f\x7fle\x1b[24~\r");
  REQUIRE(terminal->wait_for("You said: \"purple elephants\""));
  terminal->type("half\x1b[A\x1b[B typed\r");
  REQUIRE(terminal->wait_for("You said: \"half typed\""));
  terminal->type("\x1b[A\x1b[A\x05 again\r");
  REQUIRE(terminal->wait_for("You said: \"purple elephants again\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
  CHECK_FALSE(contains(home.heard("mock"), "u001b"));
}

TEST_CASE("a paste of several lines is one prompt, and so is one with line breaks") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type("\x1b[200~first\rsecond\x03\x1b[2J\tthird\x1b[201~\r");
  REQUIRE(terminal->wait_for("I can show you"));
  terminal->type("fourth\x1b\rfifth\nsixth\r");
  REQUIRE(terminal->wait_for("sixth\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
  const std::string heard = home.heard("mock");
  CHECK(contains(heard, R"("text":"first\nsecond[2J\tthird")"));
  CHECK(contains(heard, R"("text":"fourth\nfifth\nsixth")"));
  CHECK_FALSE(contains(terminal->screen(), "\x1b[2J"));
  CHECK_FALSE(takes_pastes(*terminal));
}

TEST_CASE("a paste of several lines during a turn is one prompt, which waits to be sent") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("/slow 10\r");
  REQUIRE(terminal->wait_for("step 2 of 10"));
  CHECK(takes_pastes(*terminal));
  terminal->type("\x1b[200~first\rsecond\r\x1b[201~");
  REQUIRE(terminal->wait_for("› first\n  second\n", slow_turn));
  CHECK_FALSE(contains(terminal->text(), "You said"));
  terminal->type("third\r");
  REQUIRE(terminal->wait_for("third\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
  CHECK(contains(home.heard("mock"), R"("text":"first\nsecond\nthird")"));
  CHECK_FALSE(takes_pastes(*terminal));
}

TEST_CASE("Ctrl-C clears a line that is begun, and leaves the chat without one") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("half a line");
  REQUIRE(terminal->wait_for("half a line"));
  terminal->type(Terminal::ctrl_c);
  terminal->type("another\r");
  REQUIRE(terminal->wait_for("You said: \"another\""));
  REQUIRE(terminal->wait_for("I can show you"));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type(Terminal::ctrl_c);
  CHECK_EQ(terminal->code(), 130);
  CHECK_FALSE(contains(home.heard("mock"), "half a line"));
}

TEST_CASE("what is typed during a turn waits for it and is not shown before") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("/slow 20\r");
  REQUIRE(terminal->wait_for("step 2 of 20"));
  terminal->type("typed ahead\rand half");
  REQUIRE(terminal->wait_for("You said: \"typed ahead\"", slow_turn));
  const std::string text = terminal->text();
  CHECK_GT(text.find("typed ahead"), text.find("step 20 of 20"));
  REQUIRE(terminal->wait_for("› and half"));
  terminal->type(" a line\r");
  CHECK(terminal->wait_for("You said: \"and half a line\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("a chat is left with a word, and the terminal is as it was") {
  CliHome home;
  home.start_daemon();
  for (const std::string word : {"exit", "quit", "/exit", "/quit"}) {
    INFO(word);
    const auto terminal = home.on_terminal({"run"});
    REQUIRE(terminal->wait_for("exit or Ctrl-D leaves"));
    terminal->type(word + "\r");
    CHECK_EQ(terminal->code(), 0);
    CHECK_FALSE(contains(terminal->text(), "You said"));
    CHECK_FALSE(takes_pastes(*terminal));
    CHECK(terminal->echoes());
  }
}

TEST_CASE("a signal in the middle of a line leaves the terminal as it was") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("half a line");
  REQUIRE(terminal->wait_for("half a line"));
  CHECK_FALSE(terminal->echoes());
  terminal->signal(SIGTERM);
  CHECK_EQ(terminal->code(), 130);
  CHECK(terminal->text().ends_with("› half a line\n"));
  CHECK_FALSE(takes_pastes(*terminal));
  CHECK(terminal->echoes());
  CHECK(home.agents_gone_within());
}

TEST_CASE("a line is drawn anew when the terminal becomes narrower") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("one two three four five six seven");
  REQUIRE(terminal->wait_for("six seven"));
  terminal->resize(30, 24);
  CHECK(terminal->wait_for("› one two three four fiv\n  e six seven"));
  terminal->type(
      "\x03"
      "exit\r");
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("what is being typed when a permission is asked for does not answer it, and waits for the next line") {
  CliHome home;
  put_scripted_agent(home, R"(
  say 'thinking. '
  until [ -e "$HOME/go" ]; do sleep 0.05; done
  ask ',"title":"make clean"'
  case $answer in *yes*) say 'allowed' ;; *) say 'refused' ;; esac)");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("hi\r");
  REQUIRE(terminal->wait_for("thinking"));
  terminal->type("you say wh");
  write_file(home.path() / "go", "");
  REQUIRE(terminal->wait_for("Allow once"));
  terminal->type("y1 ");
  REQUIRE(terminal->wait_for("what was typed waits for the next line; press a digit"));
  CHECK_FALSE(contains(terminal->text(), "allowed"));
  REQUIRE(eventually([&] {  // one that is read together with what was typed before waits, too
    terminal->type("n");
    return terminal->wait_for("refused", milliseconds(1000));
  }));
  CHECK(terminal->wait_for("› you say why1 "));
  terminal->type(Terminal::ctrl_c);
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("a key with Enter answers a question of a chat, too, and what is no answer is said to wait") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--color", "never"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("/permission\r");
  REQUIRE(terminal->wait_for("Reject"));
  const auto is_told = [&](std::size_t often) {
    return eventually([&] { return times_in(terminal->text(), "what was typed waits for the next line") == often; });
  };
  terminal->type("what");  // may come while nothing is heard yet
  REQUIRE(is_told(1));
  terminal->type("ever");
  REQUIRE(is_told(2));
  terminal->type("1\r");
  CHECK(terminal->wait_for("You chose: Allow once."));
  CHECK(terminal->wait_for("› whatever"));
  CHECK_FALSE(contains(terminal->text(), "You said"));
  terminal->type(Terminal::ctrl_c);
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("what was typed during a turn that is cancelled waits to be sent") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("/slow 1000\r");
  REQUIRE(terminal->wait_for("step 2 of 1000"));
  terminal->type("typed\rahead\r");
  terminal->type(Terminal::ctrl_c);
  REQUIRE(terminal->wait_for("› typed\n  ahead"));
  CHECK_FALSE(contains(terminal->text(), "You said"));
  terminal->type("!\r");
  CHECK(terminal->wait_for("ahead!\""));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
  CHECK(contains(home.heard("mock"), R"("text":"typed\nahead!")"));
}

TEST_CASE("a line that is being typed steps aside for what the agent says and asks, and comes back") {
  CliHome home;
  put_scripted_agent(home, R"(
  (until [ -e "$HOME/speak" ]; do sleep 0.05; done; say 'out of turn'
   until [ -e "$HOME/ask" ]; do sleep 0.05; done; ask ',"title":"make clean"') &)");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--color", "never"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("hi\r");
  REQUIRE(terminal->wait_for("end of turn"));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type("half a line");
  REQUIRE(terminal->wait_for("› half a line"));
  write_file(home.path() / "speak", "");
  CHECK(terminal->wait_for("out of turn\n› half a line"));
  CHECK(contains(terminal->screen(), "\x1b[J\rout of turn"));
  write_file(home.path() / "ask", "");
  REQUIRE(terminal->wait_for("Allow once"));
  terminal->type("9");
  REQUIRE(terminal->wait_for("what was typed waits for the next line"));
  terminal->type("y");
  CHECK(terminal->wait_for("✓ Allow once: make clean\n› half a line9"));
  terminal->type(Terminal::ctrl_c);
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("Ctrl-Z at the prompt stops the chat, the shell gets its terminal, and the line comes back with it") {
  CliHome home;
  home.start_daemon();
  const auto terminal = shell_on_terminal(home);
  REQUIRE(terminal->wait_for("type a prompt"));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type("half a line");
  REQUIRE(terminal->wait_for("› half a line"));
  const std::size_t before = terminal->text().size();
  terminal->type(ctrl_z);
  REQUIRE(eventually([&] { return terminal->text().ends_with("shell: "); }));
  CHECK(terminal->echoes());
  CHECK_FALSE(takes_pastes(*terminal));
  REQUIRE(shell_answers(*terminal, "one"));
  CHECK(terminal->echoes());
  CHECK_EQ(times_in(terminal->text().substr(before), "› half a line"), 1);
  terminal->type("fg\n");
  REQUIRE(eventually([&] { return terminal->text().ends_with("› half a line"); }));
  CHECK_EQ(times_in(terminal->text().substr(before), "› half a line"), 2);
  terminal->type(" more\r");
  CHECK(terminal->wait_for("You said: \"half a line more\""));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type("exit\r");
  CHECK(shell_answers(*terminal, "two"));
  CHECK(terminal->echoes());
}

TEST_CASE("Ctrl-Z during a turn gives the terminal back, and takes it again when the chat goes on") {
  CliHome home;
  home.start_daemon();
  const auto terminal = shell_on_terminal(home);
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("/slow 20\r");
  REQUIRE(terminal->wait_for("step 2 of 20"));
  terminal->type(ctrl_z);
  REQUIRE(terminal->wait_for("Stopped"));
  CHECK(terminal->echoes());
  CHECK_FALSE(takes_pastes(*terminal));
  REQUIRE(shell_answers(*terminal, "one"));
  terminal->type("fg\n");
  REQUIRE(eventually([&] { return !terminal->echoes(); }));
  CHECK(eventually([&] { return takes_pastes(*terminal); }));
  terminal->type("typed ahead\r");
  REQUIRE(terminal->wait_for("You said: \"typed ahead\"", slow_turn));
  const std::string text = terminal->text();
  CHECK_GT(text.find("typed ahead"), text.find("step 20 of 20"));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type("exit\r");
  CHECK(shell_answers(*terminal, "two"));
  CHECK(terminal->echoes());
}

TEST_CASE("Ctrl-Z at a question gives the terminal back, and the question goes on with the command") {
  CliHome home;
  home.start_daemon();
  const auto terminal = shell_on_terminal(home, "$it run /permission");
  REQUIRE(terminal->wait_for("Reject"));
  REQUIRE(eventually([&] { return !terminal->echoes(); }));
  terminal->type(ctrl_z);
  REQUIRE(terminal->wait_for("Stopped"));
  CHECK(terminal->echoes());
  REQUIRE(shell_answers(*terminal, "one"));
  terminal->type("fg\n");
  REQUIRE(eventually([&] { return !terminal->echoes(); }));
  terminal->type("1");
  CHECK(terminal->wait_for("You chose: Allow once."));
  CHECK(shell_answers(*terminal, "two"));
  CHECK(terminal->echoes());
}

TEST_CASE("Ctrl-Z stops a command whose reader is stopped already") {
  CliHome home;
  home.start_daemon();
  const auto terminal = shell_on_terminal(home, "$it run '/flood 3000000' | sleep 1000");
  REQUIRE(eventually([&] { return !home.daemon().api().servers().empty(); }));
  terminal->type(ctrl_z);
  REQUIRE(terminal->wait_for("Stopped"));
  CHECK(shell_answers(*terminal, "one"));
  terminal->type("kill %1; kill -CONT %1; wait; echo en''ded\n");
  CHECK(terminal->wait_for("ended\n"));
  CHECK(home.agents_gone_within());
}

TEST_CASE("a chat in the background leaves the terminal to the shell, and goes on in the foreground") {
  CliHome home;
  home.start_daemon();
  const auto terminal = shell_on_terminal(home);
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("/slow 20\r");
  REQUIRE(terminal->wait_for("step 2 of 20"));
  terminal->type(ctrl_z);
  REQUIRE(terminal->wait_for("Stopped"));
  terminal->type("bg\n");
  REQUIRE(terminal->wait_for("end of turn", slow_turn));
  for (const std::string word : {"one", "two", "three"}) {
    CHECK(shell_answers(*terminal, word));
    CHECK(terminal->echoes());
  }
  CHECK_FALSE(takes_pastes(*terminal));
  terminal->type("fg\n");
  REQUIRE(is_at_prompt(*terminal));
  terminal->type("back again\r");
  CHECK(terminal->wait_for("You said: \"back again\""));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type("exit\r");
  CHECK(shell_answers(*terminal, "four"));
  CHECK(terminal->echoes());
}

TEST_CASE("SIGTERM ends a chat that is stopped, as soon as it goes on") {
  CliHome home;
  home.start_daemon();
  const auto terminal = shell_on_terminal(home);
  REQUIRE(terminal->wait_for("type a prompt"));
  REQUIRE(is_at_prompt(*terminal));
  terminal->type(ctrl_z);
  REQUIRE(terminal->wait_for("Stopped"));
  terminal->type("kill %1; kill -CONT %1; wait; echo en''ded\n");
  CHECK(terminal->wait_for("ended\n"));
  CHECK(home.agents_gone_within());
  CHECK(terminal->echoes());
}

TEST_CASE("/help tells of the chat where the agent has no such command") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("/help\r");
  CHECK(terminal->wait_for("Alt-Enter or Ctrl-J begins another line"));
  terminal->type("exit\r");
  CHECK_EQ(terminal->code(), 0);
  CHECK_FALSE(contains(terminal->text(), "You said"));
}

TEST_CASE("a terminal that can nothing gives its lines as it always did") {
  CliHome home;
  home.start_daemon();
  for (const std::string name : {"dumb", ""}) {
    INFO(name);
    const auto terminal = home.on_terminal({"run"}, {.env = {"TERM=" + name}});
    REQUIRE(terminal->wait_for("type a prompt"));
    terminal->type("purple elephants\n");
    REQUIRE(terminal->wait_for("You said: \"purple elephants\""));
    terminal->type("exit\n");
    CHECK_EQ(terminal->code(), 0);
    CHECK_FALSE(contains(terminal->screen(), "\x1b[?2004"));
    CHECK_FALSE(contains(terminal->screen(), "\x1b[J"));
  }
}

TEST_CASE("a chat whose answers go through another program takes lines as the terminal gives them, and erases nothing") {
  CliHome home;
  home.start_daemon();
  const auto terminal = shell_on_terminal(home, "$it run | tee log");
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("purple elephants\n");
  REQUIRE(terminal->wait_for("You said: \"purple elephants\""));
  terminal->type("exit\n");
  CHECK(shell_answers(*terminal, "one"));
  CHECK(contains(read_file(home.path() / "log"), "You said: \"purple elephants\""));
  CHECK_FALSE(contains(terminal->screen(), "\x1b[?2004"));
  CHECK_FALSE(contains(terminal->screen(), "\x1b[J"));
}

TEST_SUITE_END();
