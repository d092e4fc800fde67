#include <doctest/doctest.h>

#include "cli_scripted.h"
#include "support/cutting_relay.h"

using namespace rig;

namespace {

constexpr std::string_view was_allowed = "A real agent would have run the command now.";
constexpr std::string_view was_refused = "The command was not run.";

// In shell: asks, and does not wait for the answer.
constexpr std::string_view ask_only =
    R"(printf '{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t1","title":"make clean"},"options":[{"optionId":"yes","name":"Allow once","kind":"allow_once"}]}}\n'
)";

// As often as it takes: a key that is read together with others answers nothing.
bool answers(Terminal& terminal, std::string_view key) {
  return eventually([&] {
    terminal.type(key);
    return terminal.wait_for("You chose", milliseconds(1000));
  });
}

}  // namespace

TEST_SUITE_BEGIN("cli_permission");

TEST_CASE("a terminal is asked with digits, and 1 allows") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/permission"});
  REQUIRE(terminal->wait_for("make clean"));
  REQUIRE(terminal->wait_for("Allow once"));
  REQUIRE(terminal->wait_for("Reject"));
  CHECK(contains(terminal->text(), "1"));
  CHECK(contains(terminal->text(), "3"));
  terminal->type("1");
  CHECK_EQ(terminal->code(), 0);
  CHECK(contains(terminal->text(), "You chose: Allow once."));
  CHECK(contains(terminal->text(), was_allowed));
}

TEST_CASE("a permission that is rejected lets the turn go on and exits 7 at its end") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/permission"});
  REQUIRE(terminal->wait_for("Reject"));
  terminal->type("3");
  CHECK_EQ(terminal->code(), 7);
  CHECK(contains(terminal->text(), "You chose: Reject."));
  CHECK(contains(terminal->text(), was_refused));
}

TEST_CASE("a key that names no option is asked again") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/permission"});
  REQUIRE(terminal->wait_for("Reject"));
  terminal->type("9");
  CHECK_FALSE(terminal->wait(milliseconds(100)).has_value());
  CHECK(answers(*terminal, "2"));
  CHECK_EQ(terminal->code(), 0);
  CHECK(contains(terminal->text(), "You chose: Always allow."));
}

TEST_CASE("a key may be sent with Enter at once, as scripts do") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/permission"});
  REQUIRE(terminal->wait_for("Reject"));
  CHECK(answers(*terminal, "y\r"));
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("a key that sends several bytes, and a paste, answer nothing") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/permission"});
  REQUIRE(terminal->wait_for("Reject"));
  for (const std::string keys : {"\x1b[1~", "\x1b[2~", "\x1b[3~", "\x1b[15~", "\x1b[1;5C", "yes, please"}) {
    INFO(keys);
    terminal->type(keys);
    CHECK_FALSE(terminal->wait(milliseconds(100)).has_value());
  }
  CHECK_FALSE(contains(terminal->text(), "You chose"));
  CHECK(answers(*terminal, "3"));
  CHECK_EQ(terminal->code(), 7);
  CHECK(contains(terminal->text(), "You chose: Reject."));
}

TEST_CASE("the question is asked on the terminal while stdout goes to a file") {
  CliHome home;
  home.start_daemon();
  const auto file = home.path() / "answer";
  const auto terminal = home.on_terminal({"run", "/permission"}, {.stdout_file = file});
  REQUIRE(terminal->wait_for("Allow once"));
  terminal->type("1");
  CHECK_EQ(terminal->code(), 0);
  CHECK_EQ(read_file(file), "You chose: Allow once. A real agent would have run the command now.");
}

TEST_CASE("without a terminal the turn is cancelled, and the way out is named") {
  CliHome home;
  home.record_agent();
  const auto ended = home.run({"run", "/permission"});
  CHECK_EQ(ended.code, 7);
  CHECK(contains(ended.err, "--yes"));
  CHECK(contains(ended.err, "make clean"));
  CHECK(contains(home.heard("mock"), "\"cancelled\""));
  CHECK(home.daemon().api().servers().empty());
}

TEST_CASE("--yes allows and --deny rejects, on a terminal or not") {
  CliHome home;
  home.start_daemon();
  const auto allowed = home.run({"run", "--yes", "/permission"});
  CHECK_EQ(allowed.code, 0);
  CHECK(contains(allowed.out, was_allowed));
  const auto denied = home.run({"run", "--deny", "/permission"});
  CHECK_EQ(denied.code, 7);
  CHECK(contains(denied.out, was_refused));

  const auto allowing = home.on_terminal({"run", "--yes", "/permission"});
  CHECK_EQ(allowing->code(), 0);
  CHECK(contains(allowing->text(), was_allowed));
  const auto denying = home.on_terminal({"run", "--deny", "/permission"});
  CHECK_EQ(denying->code(), 7);
  CHECK(contains(denying->text(), was_refused));
}

TEST_CASE("--no-input on a terminal is as good as none") {
  CliHome home;
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--no-input", "/permission"});
  CHECK_EQ(terminal->code(), 7);
  CHECK(contains(terminal->text(), "--yes"));
}

TEST_CASE("--yes and --deny together are wrong usage") {
  CliHome home;
  CHECK_EQ(home.run({"run", "--yes", "--deny", "/permission"}).code, 2);
}

TEST_CASE("Ctrl-C at the question cancels it and the turn") {
  CliHome home;
  home.record_agent();
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "/permission"});
  REQUIRE(terminal->wait_for("Reject"));
  terminal->type(Terminal::ctrl_c);
  CHECK_EQ(terminal->code(), 130);
  CHECK(contains(home.heard("mock"), "\"outcome\":\"cancelled\""));
  CHECK(home.agents_gone_within());
}

TEST_CASE("a question that the agent withdraws is asked no longer, and answered as cancelled") {
  CliHome home;
  home.start_daemon();
  const auto gate = home.path() / "gate";
  put_scripted_agent(home, std::string(ask_only) + "until [ -e " + gate.string() + R"( ]; do sleep 0.05; done
printf '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"q"}}\n'
read -r answer
case $answer in *'"cancelled"'*) say 'heard it' ;; esac
)");
  const auto terminal = home.on_terminal({"run", "hello"});
  REQUIRE(terminal->wait_for("Allow once"));
  write_file(gate, "");
  CHECK(terminal->wait_for("withdrawn: make clean"));
  CHECK(terminal->wait_for("heard it"));
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("a question that is open when the turn ends is answered as cancelled, and keeps nobody waiting") {
  CliHome home;
  const auto daemon = home.start_daemon();
  put_scripted_agent(home, std::string(ask_only));
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("type a prompt"));
  terminal->type("hello\r");
  REQUIRE(terminal->wait_for("end of turn"));
  CHECK(eventually([&] { return number_at(boost::json::serialize(daemon.api().servers().at(0)), "openAgentRequests") == 0; }));
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("a question that is open when the turn ends is answered before the instance is ended") {
  bool was_answered = false;
  for (int i = 0; i < 3 && !was_answered; ++i) {  // an answer that takes too long is not waited for
    CliHome home;
    const auto daemon = home.start_daemon();
    const CuttingRelay relay(daemon.port(), {.part = R"("outcome":"cancelled")", .time = milliseconds(250)});
    home.set("SANDBOX_AGENT_URL=http://127.0.0.1:" + std::to_string(relay.port()));
    home.set("SANDBOX_AGENT_TOKEN=" + daemon.token());
    const auto heard = home.path() / "heard";
    put_scripted_agent(home, std::string(ask_only) + R"(result '{"stopReason":"end_turn"}'
read -r answer
printf %s "$answer" > )" + heard.string());
    const auto terminal = home.on_terminal({"run", "hello"});
    CHECK_EQ(terminal->code(), 0);
    CHECK_FALSE(contains(terminal->text(), "did not reach"));
    was_answered = contains(read_file(heard), R"("cancelled")");
  }
  CHECK(was_answered);
}

TEST_CASE("the terminal is left as it was found") {
  CliHome home;
  home.start_daemon();
  const auto shell = home.path() / "script";
  write_file(shell,
             "#!/bin/sh\nbefore=$(stty -g)\n\"$1\" run /permission\n[ \"$before\" = \"$(stty -g)\" ] && echo same modes\n",
             true);
  TerminalLaunch launch{
      .argv = {shell, binary_under_test()}, .env = clean_environment(home.path(), home.mark()), .cwd = home.path()};
  Terminal terminal(launch);
  REQUIRE(terminal.wait_for("Reject"));
  terminal.type("1");
  CHECK_EQ(terminal.code(), 0);
  CHECK(contains(terminal.text(), "same modes"));
}

TEST_CASE("a question is asked also with --quiet, and y allows") {
  CliHome home;
  const auto terminal = home.on_terminal({"run", "--quiet", "/permission"});
  REQUIRE(terminal->wait_for("make clean"));
  REQUIRE(terminal->wait_for("Allow once"));
  terminal->type("y");
  CHECK(terminal->wait_for("You chose: Allow once."));
  CHECK_EQ(terminal->code(), 0);
}

TEST_SUITE_END();
