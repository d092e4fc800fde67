// Clients that wait while an agent is got ready.
#include <doctest/doctest.h>

#include "held_port.h"
#include "support/acp.h"

using namespace rig;

namespace {

// A daemon with an agent, `slow`, that is known to the registry alone.
struct SlowInstall {
  TempDir manifests;
  HeldPort registry;  // who asks it waits until it is let go
  std::optional<Daemon> daemon;

  SlowInstall() {
    write_file(manifests.path() / "slow.json", R"({"id":"slow","name":"Slow","registry":["slow-acp"]})");
    daemon.emplace(std::vector<std::string>{"--agents-dir", manifests.path(), "--registry-url",
                                            "http://127.0.0.1:" + std::to_string(registry.port) + "/registry.json"});
  }
  std::int64_t connections() const { return number_at(Api(*daemon).get("/v1/status").body, "current.connections") - 1; }
};

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("clients that hang up while an agent is installed are gone at once, and its failure is logged once") {
  SlowInstall world;
  Acp acp(*world.daemon, "x", "slow");
  std::vector<Connection> leaving, staying;
  for (int i = 0; i < 5; ++i) leaving.push_back(acp.begin_call("echo"));
  for (int i = 0; i < 3; ++i) staying.push_back(acp.begin_call("echo"));
  REQUIRE(eventually([&] { return acp.listing().contains("phase") && acp.listing().at("phase").as_string() == "registry"; }));
  leaving.push_back(acp.begin("GET", acp.target()));
  leaving.push_back(acp.begin("POST", "/v1/agents/slow/install"));
  REQUIRE(eventually([&] { return world.connections() == 10; }));
  for (Connection& connection : leaving) connection.reset();
  CHECK(eventually([&] { return world.connections() == 3; }));
  CHECK_EQ(acp.listing().at("status").as_string(), "starting");

  world.registry.let_go();
  for (Connection& connection : staying) CHECK_EQ(problem_of(connection.read_response()), "500 install_failed");
  CHECK(acp.servers().empty());
  CHECK_EQ(count_of(world.daemon->stderr_text(), "The agent 'slow' could not be installed"), 1);
}

TEST_CASE("the stderr of an instance that is being started is empty, and nobody waits for it") {
  SlowInstall world;
  Acp acp(*world.daemon, "x", "slow");
  Connection first = acp.begin_call("echo");
  REQUIRE(eventually([&] { return acp.listing().contains("phase") && acp.listing().at("phase").as_string() == "registry"; }));
  const auto tail = acp.get(acp.target() + "/stderr");
  CHECK_EQ(tail.status, 200);
  CHECK_EQ(tail.body, "");
  CHECK(tail.header("content-type").starts_with("text/plain"));
  CHECK_EQ(acp.listing().at("status").as_string(), "starting");
  world.registry.let_go();
  CHECK_EQ(problem_of(first.read_response()), "500 install_failed");
}

TEST_CASE("an install is told as events when any of the Accept fields likes them best") {
  Daemon daemon;
  const auto response = Api(daemon).request("POST", "/v1/agents/mock/install",
                                            {{"Accept", "application/json;q=0.5"}, {"Accept", "text/event-stream"}});
  CHECK_EQ(response.status, 200);
  CHECK_EQ(response.header("content-type"), "text/event-stream");
}

TEST_SUITE_END();
