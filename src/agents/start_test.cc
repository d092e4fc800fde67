#include "agents/start.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/scratch_folder.h"
#include "base/version.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

// A data folder, a folder on PATH, and one agent.
struct World {
  World() { surroundings = {"/opt/sandbox-agent", "/home/me", {"PATH=" + tools.path(), "A=1", "KEPT=old"}}; }

  std::optional<ChildSpec> start() const { return how_to_start(agent, store, surroundings); }
  Strings words() const { return start().value_or(ChildSpec{}).argv; }
  Presence look() const { return look_at(agent, store, surroundings); }
  void by_hand() const { data.write("bin/agent_processes/a-acp", "#!/bin/sh\n", 0755); }
  void installed(const std::string& record = "") const {
    data.write("bin/agent_processes/a.d/t/launch", "#!/bin/sh\n", 0755);
    if (!record.empty()) data.write("bin/agent_processes/a.d/t/install.json", record);
    data.link("bin/agent_processes/a-acp", "a.d/t/launch");
  }

  ScratchFolder data, tools;
  Store store{data.path()};
  Surroundings surroundings;
  Agent agent = [] {
    Agent made;
    made.manifest.id = "a";
    return made;
  }();
};

}  // namespace

TEST_CASE("an agent that is not there cannot be started and can be installed") {
  const World world;
  CHECK_FALSE(world.start().has_value());
  CHECK_FALSE(world.look().installed);
  CHECK_FALSE(world.look().record.has_value());
  CHECK(is_installable(world.agent));
}

TEST_CASE("an installed agent is started by its launcher, and its record is shown") {
  const World world;
  InstallRecord record{.agent = "a"};
  record.artifacts.push_back({.path = "/p", .source = ArtifactSource::registry, .version = "3.2.1"});
  world.installed(to_json(record));
  CHECK(world.words() == Strings{world.store.launcher("a")});
  const Presence presence = world.look();
  CHECK(presence.installed);
  CHECK(presence.path == world.store.launcher("a"));
  REQUIRE(presence.record.has_value());
  CHECK(presence.record->artifacts.at(0).version == "3.2.1");
}

TEST_CASE("an install whose record is lost is still there") {
  const World world;
  world.installed();
  CHECK(world.start().has_value());
  CHECK(world.look().installed);
  CHECK_FALSE(world.look().record.has_value());
}

TEST_CASE("a launcher put there by hand is started as it is, and its record says so") {
  World world;
  world.by_hand();
  CHECK(world.words() == Strings{world.store.launcher("a")});
  const Presence presence = world.look();
  REQUIRE(presence.record.has_value());
  CHECK(presence.record->artifacts.at(0).source == ArtifactSource::local_path);
  CHECK(presence.record->artifacts.at(0).path == world.store.launcher("a"));
  CHECK_FALSE(presence.record->artifacts.at(0).version.has_value());
  CHECK_FALSE(presence.record->verified);
  world.agent.origin = AgentOrigin::launcher;
  CHECK_FALSE(is_installable(world.agent));
}

TEST_CASE("a command is started, a launcher wins over it, and the words of the command line over both") {
  World world;
  world.agent.manifest.command = {"prog", "--acp"};
  CHECK(world.words() == Strings{"prog", "--acp"});
  CHECK_FALSE(is_installable(world.agent));
  world.by_hand();
  CHECK(world.words() == Strings{world.store.launcher("a")});
  world.agent.origin = AgentOrigin::user;
  CHECK(world.words() == Strings{world.store.launcher("a")});
  world.agent.origin = AgentOrigin::command_line;
  CHECK(world.words() == Strings{"prog", "--acp"});
}

TEST_CASE("a command takes the place of what was installed under its id before") {
  World world;
  world.installed();
  CHECK(world.words() == Strings{world.store.launcher("a")});
  world.agent.manifest.command = {"prog"};
  CHECK(world.words() == Strings{"prog"});
}

TEST_CASE("a command is there when its program is on PATH") {
  World world;
  world.agent.manifest.command = {"prog"};
  CHECK_FALSE(world.look().installed);
  world.tools.write("prog", "", 0755);
  const Presence presence = world.look();
  CHECK(presence.installed);
  CHECK(presence.path == world.tools.at("prog"));
  CHECK(presence.record.value().artifacts.at(0).source == ArtifactSource::local_path);
}

TEST_CASE("the agent in our own program is always there") {
  World world;
  world.agent.manifest.command = {"{self}", "demo", "{self}"};
  CHECK(world.words() == Strings{"/opt/sandbox-agent", "demo", "{self}"});
  const Presence presence = world.look();
  CHECK(presence.installed);
  CHECK(presence.path == "/opt/sandbox-agent");
  REQUIRE(presence.record.has_value());
  CHECK(presence.record->verified);
  CHECK(presence.record->artifacts.at(0).source == ArtifactSource::builtin);
  CHECK(presence.record->artifacts.at(0).version == version);
}

TEST_CASE("an agent gets the environment, with its manifest's variables and its key under the right name") {
  World world;
  world.by_hand();
  world.surroundings.environment.emplace_back("OTHER_KEY=secret");
  world.agent.manifest.env = {{"KEPT", "new"}, {"MORE", "x=y"}};
  world.agent.manifest.credentials = CredentialPlaces{true, {{"KEY", {"OTHER_KEY"}}}, {}};
  const Strings variables = world.start().value_or(ChildSpec{}).env;
  const auto has = [&](const std::string& text) { return std::ranges::count(variables, text) == 1; };
  CHECK(has("A=1"));
  CHECK(has("KEPT=new"));
  CHECK_FALSE(has("KEPT=old"));
  CHECK(has("MORE=x=y"));
  CHECK(has("KEY=secret"));
}

TEST_CASE("agents get our environment without the token, and where our binary is") {
  const char* variables[] = {
      "A=1",  "SANDBOX_AGENT_TOKEN=secret", "SANDBOX_AGENT_BIN=/old", "SANDBOX_AGENT_TOKENS=x", "B=SANDBOX_AGENT_TOKEN=y",
      nullptr};
  CHECK(agent_environment(const_cast<char**>(variables), "/new") ==
        Strings{"A=1", "SANDBOX_AGENT_TOKENS=x", "B=SANDBOX_AGENT_TOKEN=y", "SANDBOX_AGENT_BIN=/new"});
}

TEST_CASE("a variable is found by its whole name") {
  const Strings environment = {"AB=1", "A=2=3", "A=4", "EMPTY=", "BARE"};
  CHECK(variable_in(environment, "A") == "2=3");
  CHECK(variable_in(environment, "AB") == "1");
  CHECK(variable_in(environment, "EMPTY").empty());
  CHECK(variable_in(environment, "BARE").empty());
  CHECK(variable_in(environment, "NONE").empty());
}

}  // namespace sa
