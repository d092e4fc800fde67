// Real processes under real supervisors; the agents are a few lines of shell.
#include <doctest/doctest.h>

#include "agents/install_test_world.h"
#include "cli/doctor_checks.h"

namespace sa {
namespace {

Agent agent_of(std::string id, std::string script) {
  Manifest manifest;
  manifest.id = manifest.name = std::move(id);
  manifest.command = {"/bin/sh", "-c", std::move(script)};
  return {std::move(manifest), AgentOrigin::command_line};
}

Agent npm_agent(std::string id) {
  Manifest manifest;
  manifest.id = manifest.name = std::move(id);
  manifest.process.emplace().npm = NpmSource{.package = "p", .version = "1.0.0"};
  return {std::move(manifest), AgentOrigin::builtin};
}

const std::string speaks = R"(read -r line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'; read -r line)";

// A doctor for these agents.
struct World : InstallWorld {
  explicit World(std::vector<Agent> agents) : catalog(std::move(agents), store) {
    surroundings = {.own_binary = "/proc/self/exe", .home = data.path(), .environment = environment()};
  }
  std::vector<AgentReport> agents(Millis limit) { return run(check_agents(doctor, limit)); }
  Check check(Millis limit = Millis(20'000)) { return run(check_agent(doctor, catalog.agents().front(), limit)); }

  Catalog catalog;
  Surroundings surroundings;
  DoctorTools doctor{loop, processes, pool, catalog, store, surroundings, &stop};
};

std::string word(const Check& check) { return std::string(word_of(check.state)); }

}  // namespace

TEST_CASE("an agent that answers initialize is fine, and its time is told") {
  World world({agent_of("a", speaks)});
  const Check check = world.check();
  CHECK(check.name == "agent a");
  CHECK(word(check) == "ok");
  CHECK(check.text.starts_with("It answers initialize after "));
}

TEST_CASE("an agent that is not installed is not started, and that is fine") {
  World world({npm_agent("a")});
  CHECK(to_json(world.check()) == R"({"name":"agent a","state":"ok","text":"Not installed"})");
}

TEST_CASE("an agent that is not installed, though there is a key for it, is a warning with the command that installs it") {
  Agent agent = npm_agent("a");
  agent.manifest.credentials = CredentialPlaces{.variables = {{"AGENT_KEY", {}}}};
  World world({agent});
  CHECK(word(world.agents(Millis(20'000)).front().check) == "ok");
  world.surroundings.environment.emplace_back("AGENT_KEY=sk-very-secret");
  const Check check = world.agents(Millis(20'000)).front().check;
  CHECK(word(check) == "warning");
  CHECK(check.text == "Not installed");
  CHECK(check.fix == "sandbox-agent agents install a");
}

TEST_CASE("an agent that does not answer in time is a warning and is ended") {
  World world({agent_of("a", "read -r line; exec /bin/sleep 300")});
  const Check check = world.check(Millis(100));
  CHECK(word(check) == "warning");
  CHECK(check.text.starts_with("It did not answer initialize within 0.1 s"));
}

TEST_CASE("an agent that ends without an answer is an error in its own words, without its keys") {
  Agent agent = agent_of("a", "echo \"no such model for $AGENT_KEY\" >&2; exit 3");
  agent.manifest.credentials = CredentialPlaces{.variables = {{"AGENT_KEY", {}}}};
  World world({agent});
  world.surroundings.environment.emplace_back("AGENT_KEY=sk-very-secret");
  const Check check = world.check();
  CHECK(word(check) == "error");
  CHECK(check.text == "initialize: the agent exited with code 3 before it answered: no such model for …");
}

TEST_CASE("every agent is reported in the catalog's order, and they are asked at the same time") {
  // Each answers when the other has been asked, too.
  const auto waits = [](std::string_view own, std::string_view other) {
    constexpr std::string_view meet = R"(echo >"$NOTES/{}"; until [ -e "$NOTES/{}" ]; do /bin/sleep 0.01; done; {})";
    return agent_of(std::string(own), fmt::format(meet, own, other, speaks));
  };
  std::vector<Agent> agents = {waits("slow", "late"), waits("late", "slow"), npm_agent("none"), agent_of("a", speaks)};
  agents[3].manifest.credentials = CredentialPlaces{.variables = {{"AGENT_KEY", {}}}};
  World world(std::move(agents));
  world.surroundings.environment.emplace_back("AGENT_KEY=sk-very-secret");
  const auto reports = world.agents(Millis(20'000));
  REQUIRE(reports.size() == 4);
  CHECK(reports[0].agent == "a");
  CHECK(reports[0].installed);
  CHECK(to_json(reports[0].credentials) == "\"found\"");
  CHECK(reports[0].credentials_place == "AGENT_KEY");
  CHECK(reports[1].agent == "late");
  CHECK(word(reports[1].check) == "ok");
  CHECK(reports[2].agent == "none");
  CHECK_FALSE(reports[2].installed);
  CHECK(to_json(reports[2].credentials) == "\"unknown\"");
  CHECK(reports[3].agent == "slow");
  CHECK(word(reports[3].check) == "ok");
  CHECK_FALSE(to_json(reports).contains("secret"));
}

TEST_CASE("an agent that answers and has no key is a warning that names the key") {
  std::vector<Agent> agents = {agent_of("a", speaks), agent_of("b", speaks), npm_agent("c"), agent_of("d", "exit 3")};
  agents[0].manifest.credentials = CredentialPlaces{.variables = {{"AGENT_KEY", {}}}};
  for (const std::size_t missing : {2U, 3U}) agents[missing].manifest.credentials = agents[0].manifest.credentials;
  World world(std::move(agents));
  const auto reports = world.agents(Millis(20'000));
  REQUIRE(reports.size() == 4);
  CHECK(word(reports[0].check) == "warning");
  CHECK(reports[0].check.text.ends_with("; no key found"));
  CHECK(reports[0].check.fix == "Set AGENT_KEY");
  CHECK(word(reports[1].check) == "ok");
  CHECK(word(reports[2].check) == "ok");
  CHECK(word(reports[3].check) == "error");
}

TEST_CASE("Node.js is found on PATH with its version, and npm is found") {
  World world({npm_agent("a")});
  world.tool("node", "echo v20.1.0\n");
  world.tool("npm", "exit 1\n");
  const AgentChecks checks = world.run(check_programs_and_agents(world.doctor));
  CHECK(checks.node.text == "v20.1.0 at " + world.tools.at("node"));
  CHECK(checks.npm.text == world.tools.at("npm"));
  CHECK(word(checks.npm) == "ok");
  CHECK(checks.agents.size() == 1);
}

TEST_CASE("Node.js that is missing or broken is a warning when an agent waits for it") {
  World world({npm_agent("a"), npm_agent("b")});
  const Check missing = world.run(check_node(world.doctor));
  CHECK(word(missing) == "warning");
  CHECK(missing.text == "Not on PATH, but needed to install a, b");
  CHECK(world.run(check_npm(world.doctor)).text == missing.text);
  world.tool("node", "exit 1\n");
  CHECK(world.run(check_node(world.doctor)).text == world.tools.at("node") + " cannot be run");
  World other({agent_of("a", speaks)});
  CHECK(word(other.run(check_node(other.doctor))) == "ok");
}

}  // namespace sa
