// The agents are a few lines of shell that count how often they are asked.
#include "agents/offers.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "agents/install_test_world.h"

namespace sa {
namespace {

constexpr char note[] = "echo >>\"$NOTES/asked\"; ";
constexpr char answers[] =
    R"(read -r line; echo '{"id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"a","version":"1.2.3"}}}'
read -r line; echo '{"id":2,"result":{"sessionId":"s","modes":{"currentModeId":"x","availableModes":[{"id":"x","name":"X"}]}}}'
read -r line
)";

struct World : InstallWorld {
  ChildSpec agent(const std::string& script) const { return {{"/bin/sh", "-c", note + script}, environment()}; }
  ProbeResult ask(const std::string& version, const std::string& script, bool fresh = false) {
    return run(offers.ask("a", version, agent(script), fresh));
  }
  std::size_t asked() const {
    const std::string lines = notes.read("asked");
    return static_cast<std::size_t>(std::ranges::count(lines, '\n'));
  }

  Offers offers{loop, processes, pool, stop};
};

// One more asks while the first waits.
Task<> ask_beside(Offers& offers, ChildSpec child, std::string version, std::optional<ProbeResult>& answer) {
  answer = co_await offers.ask("a", std::move(version), std::move(child), false);
}

Task<std::vector<ProbeResult>> ask_together(World& world, std::string script) {
  std::optional<ProbeResult> beside;
  spawn(ask_beside(world.offers, world.agent(script), "1", beside));
  std::vector<ProbeResult> both = {co_await world.offers.ask("a", "1", world.agent(script), false)};
  while (!beside) co_await Yield{world.loop};
  both.push_back(*beside);
  co_return both;
}

}  // namespace

TEST_CASE("what an agent offers is remembered for its version") {
  World world;
  CHECK(world.offers.known("a", "1") == nullptr);
  const ProbeResult first = world.ask("1", answers);
  CHECK_FALSE(first.error.has_value());
  CHECK(first.agent_version == "1.2.3");
  CHECK(first.options.size() == 1);
  CHECK(world.ask("1", "exit 1").options.size() == 1);
  CHECK(world.asked() == 1);
  REQUIRE(world.offers.known("a", "1") != nullptr);
  CHECK(world.offers.known("a", "1")->options.size() == 1);
  CHECK(world.offers.known("a", "2") == nullptr);
  CHECK(world.offers.known("b", "1") == nullptr);
}

TEST_CASE("another version of an agent is asked anew, and so is one that is wanted fresh") {
  World world;
  world.ask("1", answers);
  world.ask("2", answers);
  CHECK(world.asked() == 2);
  CHECK(world.offers.known("a", "1") == nullptr);
  CHECK(world.offers.known("a", "2") != nullptr);
  world.ask("2", answers, true);
  CHECK(world.asked() == 3);
}

TEST_CASE("an error is told, not remembered, and does not replace what was known") {
  World world;
  CHECK(world.ask("1", "exit 7").error == "initialize: the agent exited with code 7 before it answered");
  CHECK(world.offers.known("a", "1") == nullptr);
  CHECK_FALSE(world.ask("1", answers).error.has_value());
  CHECK(world.ask("1", "exit 7", true).error.has_value());
  CHECK(world.offers.known("a", "1") != nullptr);
  CHECK(world.asked() == 3);
}

TEST_CASE("two who ask at once get the answer to one question") {
  World world;
  const auto both = world.run(ask_together(world, answers));
  CHECK(world.asked() == 1);
  REQUIRE(both.size() == 2);
  for (const ProbeResult& answer : both) CHECK(answer.options.size() == 1);
}

TEST_CASE("two who ask at once both hear of the error") {
  World world;
  const auto both = world.run(ask_together(world, "exit 7"));
  CHECK(world.asked() == 1);
  REQUIRE(both.size() == 2);
  for (const ProbeResult& answer : both) CHECK(answer.error.has_value());
}

TEST_CASE("a stop ends the question with words") {
  World world;
  world.when_noted("asked", [&world] { world.stop = true; });
  CHECK(world.ask("1", "exec /bin/sleep 300").error.has_value());
  CHECK(world.offers.known("a", "1") == nullptr);
}

}  // namespace sa
