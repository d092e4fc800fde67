#include <doctest/doctest.h>

#include "support/cli_home.h"
#include "support/survivors.h"

using namespace rig;

namespace {

const std::string claude_key = "ANTHROPIC_API_KEY=sk-ant-test-0001";
const std::string codex_key = "OPENAI_API_KEY=sk-test-0002";

bool has_in_environment(pid_t pid, const std::string& variable) {
  return contains(read_file("/proc/" + std::to_string(pid) + "/environ"), variable);
}

// Which agent a run used, by what its stand-in heard.
bool was_asked(const CliHome& home, const std::string& agent) { return contains(home.heard(agent), "session/prompt"); }

}  // namespace

TEST_SUITE_BEGIN("cli_choice");

TEST_CASE("an installed agent with a key is chosen, and the line says why") {
  CliHome home;
  home.put_agent("claude");
  const auto ended = home.run({"run", "hello"}, {.env = {claude_key}});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(was_asked(home, "claude"));
  CHECK(contains(ended.err, "claude"));
  CHECK(contains(ended.err, "ANTHROPIC_API_KEY"));
  CHECK_FALSE(contains(ended.all(), "sk-ant-test-0001"));
}

TEST_CASE("an installed agent without a key is not chosen") {
  CliHome home;
  home.put_agent("claude");
  const auto ended = home.run({"run", "hello"});
  CHECK_EQ(ended.code, 0);
  CHECK_FALSE(was_asked(home, "claude"));
  CHECK(contains(ended.err, "demo agent"));
}

TEST_CASE("a launcher of the user's own in the place of the demo agent is what answers without a key") {
  CliHome home;
  home.put_agent("mock");
  const auto ended = home.run({"run", "hello"});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(was_asked(home, "mock"));
}

TEST_CASE("of several with a key the only installed one is chosen") {
  CliHome home;
  home.put_agent("codex");
  const auto ended = home.run({"run", "hello"}, {.env = {claude_key, codex_key}});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(was_asked(home, "codex"));
  CHECK(contains(ended.err, "codex"));
}

TEST_CASE("of several that are installed and have a key the first of the catalog is chosen") {
  CliHome home;
  home.put_agent("codex");
  home.put_agent("claude");
  const auto ended = home.run({"run", "hello"}, {.env = {claude_key, codex_key}});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(was_asked(home, "claude"));
  CHECK_FALSE(was_asked(home, "codex"));
}

TEST_CASE("SANDBOX_AGENT_AGENT beats keys, and --agent beats both") {
  CliHome home;
  home.put_agent("claude");
  home.put_agent("codex");
  const auto by_variable = home.run({"run", "hello"}, {.env = {claude_key, "SANDBOX_AGENT_AGENT=codex"}});
  INFO(by_variable.err);
  CHECK_EQ(by_variable.code, 0);
  CHECK(was_asked(home, "codex"));
  CHECK_FALSE(was_asked(home, "claude"));
  CHECK(contains(by_variable.err, "SANDBOX_AGENT_AGENT"));

  const auto by_option = home.run({"run", "--agent", "mock", "hello"}, {.env = {claude_key, "SANDBOX_AGENT_AGENT=codex"}});
  CHECK_EQ(by_option.code, 0);
  CHECK_FALSE(was_asked(home, "claude"));
  CHECK_FALSE(contains(by_option.err, "no model credentials"));
  const auto by_letter = home.run({"run", "-a", "mock", "hello"}, {.env = {"SANDBOX_AGENT_AGENT=no-such-agent"}});
  CHECK_EQ(by_letter.code, 0);
}

TEST_CASE("an unknown SANDBOX_AGENT_AGENT exits 5 and is named") {
  CliHome home;
  const auto ended = home.run({"run", "hello"}, {.env = {"SANDBOX_AGENT_AGENT=no-such-agent"}});
  CHECK_EQ(ended.code, 5);
  CHECK(contains(ended.err, "no-such-agent"));
}

TEST_CASE("a key that appears later replaces an idle daemon that run started") {
  CliHome home;
  home.put_agent("claude");
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  const auto former = home.daemon().pid();
  REQUIRE_FALSE(has_in_environment(former, claude_key));

  const auto ended = home.run({"run", "hello"}, {.env = {claude_key}});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(was_asked(home, "claude"));
  CHECK(contains(ended.err, "ANTHROPIC_API_KEY"));
  CHECK(contains(ended.err, "the daemon was started again, now with ANTHROPIC_API_KEY"));
  CHECK_FALSE(contains(ended.err, "daemon started"));
  CHECK_NE(home.daemon().pid(), former);
  CHECK(has_in_environment(home.daemon().pid(), claude_key));
  CHECK_FALSE(alive(former));
}

TEST_CASE("a busy daemon without the key is left alone, and that is said") {
  CliHome home;
  home.put_agent("claude");
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  const auto former = home.daemon();
  Acp busy(former.api(), "busy", "mock");
  REQUIRE_EQ(busy.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);

  const auto ended = home.run({"run", "hello"}, {.env = {claude_key}});
  INFO(ended.err);
  CHECK_EQ(home.daemon().pid(), former.pid());
  CHECK_EQ(busy.listing().empty(), false);
  CHECK(contains(ended.err, "ANTHROPIC_API_KEY"));
  CHECK_FALSE(contains(ended.all(), "sk-ant-test-0001"));
  CHECK_EQ(busy.remove().status, 204);
}

TEST_CASE("a daemon that somebody started on purpose is left alone too") {
  CliHome home;
  home.put_agent("claude");
  const auto started = home.run({"daemon", "start", "--port", "0"});
  REQUIRE_EQ(started.code, 0);
  const auto former = home.daemon().pid();
  const auto ended = home.run({"run", "hello"}, {.env = {claude_key}});
  INFO(ended.err);
  CHECK_EQ(home.daemon().pid(), former);
  CHECK(contains(ended.err, "ANTHROPIC_API_KEY"));
}

TEST_CASE("a key that both have replaces nothing") {
  CliHome home;
  home.set(claude_key);
  home.put_agent("claude");
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  const auto former = home.daemon().pid();
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  CHECK_EQ(home.daemon().pid(), former);
}

TEST_CASE("commands that look for keys here say when the daemon that runs has others") {
  CliHome home;
  const auto told = [&home](const Words& command, const CommandSetup& setup) {
    const auto ended = home.run(command, setup);
    CHECK_EQ(ended.code, 0);
    CHECK_FALSE(contains(ended.err, "0001"));
    return ended.err;
  };
  const std::string words = "the daemon that runs was started with other keys: it ";
  for (const Words& command : {Words{"credentials", "status"}, {"agents", "list"}, {"agents", "list", "--json"}}) {
    CHECK_EQ(told(command, {.env = {claude_key}}), "");
    home.start_daemon({}, {.env = {codex_key}});
    CHECK(contains(told(command, {.env = {claude_key, codex_key}}), words + "lacks ANTHROPIC_API_KEY\n"));
    CHECK(contains(told(command, {}), words + "has OPENAI_API_KEY\n"));
    CHECK(contains(told(command, {.env = {claude_key}}), words + "has OPENAI_API_KEY and lacks ANTHROPIC_API_KEY\n"));
    CHECK_EQ(told(command, {.env = {codex_key}}), "");
    REQUIRE_EQ(home.run({"daemon", "stop"}).code, 0);
  }
}

TEST_SUITE_END();
