#include <doctest/doctest.h>

#include <cctype>

#include "support/cli_home.h"

using namespace rig;

namespace {

// Log lines begin with a time, words for people do not.
bool has_log_line(const std::string& text) {
  for (const auto& line : lines_of(text))
    if (!line.empty() && (std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line.starts_with("[2"))) return true;
  return false;
}

}  // namespace

TEST_SUITE_BEGIN("cli_run");

TEST_CASE("an agent that wants a login exits 9 and names its methods") {
  CliHome home;
  const auto ended = home.run({"run", "/auth"});
  CHECK_EQ(ended.code, 9);
  CHECK(contains(ended.err, "Demo login"));
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

TEST_CASE("an unknown agent exits 5 at once with suggestions and without a log line") {
  CliHome home;
  home.start_daemon();
  for (const std::string name : {"mokc", "cluade", "no-such-agent"}) {
    INFO(name);
    const auto ended = home.run({"run", "-a", name, "hello"});
    CHECK_EQ(ended.code, 5);
    CHECK_LT(ended.took, scaled(milliseconds(1000)));
    CHECK_EQ(ended.out, "");
    CHECK(contains(ended.err, name));
    CHECK_FALSE(has_log_line(ended.err));
  }
  CHECK(contains(home.run({"run", "-a", "mokc", "hello"}).err, "mock"));
  CHECK(contains(home.run({"run", "-a", "cluade", "hello"}).err, "claude"));
}

TEST_CASE("an unknown agent is told within a second also when the daemon must be started first") {
  CliHome home;
  const auto ended = home.run({"run", "-a", "mokc", "hello"});
  CHECK_EQ(ended.code, 5);
  CHECK_LT(ended.took, scaled(milliseconds(1000)));
  CHECK_FALSE(has_log_line(ended.err));
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
