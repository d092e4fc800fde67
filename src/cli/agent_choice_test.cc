#include "cli/agent_choice.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

OfferedAgent agent(std::string id, bool installed, std::string key) {
  return {.id = std::move(id), .installed = installed, .has_key = !key.empty(), .key_place = std::move(key)};
}

std::vector<OfferedAgent> with_demo(std::vector<OfferedAgent> agents) {
  agents.push_back({.id = "demo", .installed = true, .built_in = true});
  return agents;
}

}  // namespace

TEST_CASE("the option beats the variable, and the variable beats what is found") {
  const auto agents = with_demo({agent("one", true, "KEY")});
  CHECK(choose_agent(agents, "x", "y").agent == "x");
  CHECK(choose_agent(agents, "", "y").agent == "y");
  CHECK(choose_agent(agents, "", "y").reason == "by SANDBOX_AGENT_AGENT");
  CHECK(choose_agent(agents, "", "").agent == "one");
}

TEST_CASE("the only agent that is installed and has a key goes before earlier ones that only have a key") {
  const auto agents = with_demo({agent("one", false, "A"), agent("two", true, "B"), agent("three", true, "")});
  const AgentChoice choice = choose_agent(agents, "", "");
  CHECK(choice.agent == "two");
  CHECK(choice.reason == "found B; the only installed one with a key");
}

TEST_CASE("of several with a key the first counts, installed or not") {
  CHECK(choose_agent(with_demo({agent("one", true, "A"), agent("two", true, "B")}), "", "").agent == "one");
  const AgentChoice choice = choose_agent(with_demo({agent("one", false, "A"), agent("two", false, "B")}), "", "");
  CHECK(choice.agent == "one");
  CHECK(choice.reason == "found A");
  CHECK_FALSE(choice.is_demo);
}

TEST_CASE("without any key the built-in agent answers, whatever is installed") {
  const AgentChoice choice = choose_agent(with_demo({agent("one", true, "")}), "", "");
  CHECK(choice.agent == "demo");
  CHECK(choice.is_demo);
}

TEST_CASE("where the built-in agent is replaced, one that needs no key answers") {
  std::vector<OfferedAgent> agents{agent("one", true, "")};
  CHECK(choose_agent(agents, "", "").agent.empty());
  agents.push_back({.id = "own", .installed = true, .needs_no_key = true});
  CHECK(choose_agent(agents, "", "").agent == "own");
  CHECK_FALSE(choose_agent(agents, "", "").is_demo);
}

TEST_CASE("what the daemon lists is read, and agents are found by their aliases") {
  const auto agents = read_agents(
      R"({"agents":[{"id":"a","aliases":["aa"],"installed":true,"credentials":"found","credentialsPlace":"K",)"
      R"("version":"1","install":{"source":"registry"}},{"id":"d","installed":true,"install":{"source":"builtin"}},3]})");
  REQUIRE(agents);
  REQUIRE(agents->size() == 2);
  CHECK(find_agent(*agents, "aa") == &agents->front());
  CHECK(agents->front().has_key);
  CHECK(agents->front().key_place == "K");
  CHECK(agents->back().built_in);
  CHECK(find_agent(*agents, "b") == nullptr);
  CHECK_FALSE(read_agents("<html>"));
}

TEST_CASE("an agent that nobody knows is told with those there are, and with the one that was meant if one is near") {
  const std::string known[] = {"amp", "claude", "mock"};
  const Failure near = unknown_agent("cluade", known);
  CHECK(near.exit == Exit::agent);
  CHECK(near.code == "unsupported_agent");
  CHECK(near.what == "there is no agent 'cluade'");
  CHECK(near.why == "is it 'claude'? known agents: amp, claude, mock");
  CHECK(unknown_agent("nope", known).why == "known agents: amp, claude, mock");
}

}  // namespace sa
