#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "support/cli_home.h"

using namespace rig;

namespace {

const milliseconds at_once = scaled(milliseconds(1000));

// Log lines begin with a time, words for people do not.
bool has_log_line(const std::string& text) {
  for (const auto& line : lines_of(text))
    if (!line.empty() && (std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line.starts_with("[2"))) return true;
  return false;
}

// An installed agent that is this script.
void put_script(const CliHome& home, const std::string& id, const std::string& script) {
  write_file(home.data() / "bin" / "agent_processes" / (id + "-acp"), "#!/bin/sh\n" + script, true);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("cli_run");

TEST_CASE("an agent that wants a login exits 9 and names its methods") {
  CliHome home;
  const auto ended = home.run({"run", "/auth"});
  CHECK_EQ(ended.code, 9);
  CHECK(contains(ended.err, "Demo login"));
}

TEST_CASE("an agent that spells our ids differently is understood") {
  CliHome home;
  put_script(home, "speller", R"(
while read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *initialize*) result='{"protocolVersion":1}' ;;
    *session/new*) result='{"sessionId":"s"}' ;;
    *) result='{"stopReason":"end_turn"}' ;;
  esac
  if [ -n "$id" ]; then printf '{"jsonrpc":"2.0","id":%s.0,"result":%s}\n' "$id" "$result"; fi
done
)");
  const auto ended = home.run({"run", "-a", "speller", "hello"});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.err, "end of turn"));
}

TEST_CASE("a folder whose name is no text is refused before anything is started") {
  CliHome home;
  const std::string folder = (home.path() / "caf\xe9").string();
  REQUIRE(std::filesystem::create_directory(folder));
  const auto ended = home.run({"run", "-C", folder, "hello"});
  CHECK_EQ(ended.code, 2);
  CHECK(contains(ended.err, "is not UTF-8"));
  CHECK(home.daemons().empty());
}

TEST_CASE("an error of the agent exits 1 with its words and its code") {
  CliHome home;
  const auto ended = home.run({"run", "/error"});
  CHECK_EQ(ended.code, 1);
  CHECK_EQ(ended.out, "I am about to fail.");
  CHECK(contains(ended.err, "This is the error you asked for."));
  CHECK(contains(ended.err, "-32603"));
}

TEST_CASE("an agent that dies exits 6: what it said, how it ended and what it wrote to stderr are shown") {
  CliHome home;
  const auto ended = home.run({"run", "/crash 3"});
  CHECK_EQ(ended.code, 6);
  CHECK_EQ(ended.out, "I am about to crash.");
  CHECK(contains(ended.err, "3"));
  CHECK(contains(ended.err, "crashing with exit code 3, as asked"));
  CHECK(home.daemon().api().servers().empty());
  const auto killed = home.run({"run", "/crash 0"});
  CHECK_EQ(killed.code, 6);
}

TEST_CASE("of an agent that dies of an exception the exception is told, not the end of its trace") {
  CliHome home;
  put_script(home, "throwing", R"(echo 'Error: there is no key
    at file:///agent.mjs:3:9
    at process.processTimers (node:internal/timers:519:7)

Node.js v20.20.2' >&2
exit 1
)");
  const auto ended = home.run({"run", "-a", "throwing", "hello"});
  CHECK_EQ(ended.code, 6);
  CHECK(contains(ended.err, "Error: there is no key\n"));
  CHECK_FALSE(contains(ended.err, "Node.js v"));
}

TEST_CASE("an agent that closes its output is said to have done so") {
  CliHome home;
  put_script(home, "mute", "exec >&-\nexec sleep 60\n");
  const auto ended = home.run({"run", "-a", "mute", "hello"});
  CHECK_EQ(ended.code, 6);
  CHECK(contains(ended.err, "closed its output"));
  CHECK_FALSE(contains(ended.err, "DELETE"));  // what the daemon advises is for programs
  CHECK_FALSE(contains(ended.err, "SIGTERM"));
}

TEST_CASE("an agent that does not answer its start is told about after ten seconds, and is waited for") {
  CliHome home;
  home.start_daemon();
  put_script(home, "silent", "echo 'still looking for my key' >&2\nexec sleep 60\n");
  put_script(home, "slow",
             "read -r line\nid=$(printf %s \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n"
             "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\\n' \"$id\"\nexec sleep 60\n");
  const auto silent = home.start({"run", "-a", "silent", "hello"});
  const auto slow = home.start({"run", "-a", "slow", "hello"});
  const auto says = [](const RunningCommand& command, const std::string& words) {
    return eventually([&] { return contains(command.err(), words); }, milliseconds(25000));
  };
  const auto seconds_behind = [](const RunningCommand& command, const std::string& words) {
    const std::string said = command.err();
    const auto at = said.find(words);
    return at == std::string::npos ? -1 : std::atoi(said.c_str() + at + words.size());
  };
  CHECK(says(*silent, "its stderr ended with: still looking for my key"));
  CHECK_GE(seconds_behind(*silent, "still waiting for silent to answer initialize after "), 10);
  CHECK(contains(silent->err(), "sandbox-agent logs run-"));
  CHECK(says(*slow, "still waiting for slow to answer session/new after "));
  CHECK_GE(seconds_behind(*slow, "still waiting for slow to answer session/new after "), 10);
  CHECK_FALSE(contains(slow->err(), "its stderr ended"));
  for (const auto& command : {silent.get(), slow.get()}) {
    CHECK(command->process().running());
    command->process().signal(SIGINT);
    CHECK_EQ(command->end().code, 130);
  }
}

TEST_CASE("what an agent writes to stdout and is no message is shown, once") {
  CliHome home;
  put_script(home, "chatty", "echo 'Welcome to the agent!'\necho 'And more.'\nexec \"$SANDBOX_AGENT_BIN\" mock-agent\n");
  const auto ended = home.run({"run", "-a", "chatty", "hello"});
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.err, "warning: the agent wrote something that is not a message: Welcome to the agent!"));
  CHECK_EQ(count(ended.err, "not a message"), 1);
  CHECK(contains(home.run({"run", "--verbose", "-a", "chatty", "hello"}).err, "not a message: And more."));
}

TEST_CASE("an unknown agent exits 5 at once with suggestions and without a log line") {
  CliHome home;
  home.start_daemon();
  for (const std::string name : {"mokc", "cluade", "no-such-agent"}) {
    INFO(name);
    const auto took = best_of_three(at_once, [&] {
      const auto ended = home.run({"run", "-a", name, "hello"});
      CHECK_EQ(ended.code, 5);
      CHECK_EQ(ended.out, "");
      CHECK(contains(ended.err, name));
      CHECK_FALSE(has_log_line(ended.err));
      return ended.took;
    });
    CHECK_LT(took, at_once);
  }
  CHECK(contains(home.run({"run", "-a", "mokc", "hello"}).err, "mock"));
  const auto advice = home.run({"run", "-a", "cluade", "hello"}).err;
  CHECK(contains(advice, "sandbox-agent up -- <command>"));
  CHECK_FALSE(contains(advice, "--agent cluade="));
  CHECK(contains(home.run({"run", "-a", "cluade", "hello"}).err, "claude"));
}

TEST_CASE("an unknown agent is told within a second also when the daemon must be started first") {
  const auto took = best_of_three(at_once, [] {
    CliHome home;
    const auto ended = home.run({"run", "-a", "mokc", "hello"});
    CHECK_EQ(ended.code, 5);
    CHECK_FALSE(has_log_line(ended.err));
    return ended.took;
  });
  CHECK_LT(took, at_once);
}

TEST_CASE("an error is at most three lines, with --verbose the cause too") {
  CliHome home;
  const auto brief = home.run({"run", "--quiet", "-a", "no-such-agent", "hello"});
  CHECK_LE(lines_of(brief.err).size(), 3);
  CHECK(brief.err.starts_with("error: "));
  const auto full = home.run({"run", "--verbose", "-a", "no-such-agent", "hello"});
  CHECK_GE(full.err.size(), brief.err.size());
}

TEST_CASE("wrong options exit 2 and start nothing") {
  CliHome home;
  for (const Words& words : {Words{"run", "--no-such-option", "x"},
                             {"run", "--timeout", "soon", "x"},
                             {"run", "-C"},
                             {"run", "--color", "blue", "x"}}) {
    INFO(words[1]);
    const auto ended = home.run(words);
    CHECK_EQ(ended.code, 2);
    CHECK(ended.err.starts_with("error: "));
    CHECK_EQ(ended.out, "");
  }
  CHECK(home.daemons().empty());
}

TEST_SUITE_END();
