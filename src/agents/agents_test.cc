// Starting and installing as the API asks for it; the agents are a few lines of shell.
#include "agents/agents.h"

#include <doctest/doctest.h>

#include <future>

#include "agents/install_test_world.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

// One agent that the registry's file lists, and all that is needed to get it ready.
struct World : InstallWorld {
  World() {
    notes.write("registry.json", fmt::format(R"({{"agents":[{{"id":"a-acp","version":"1.0.0","distribution":{{"binary":{{"{}":
                  {{"archive":"{}","cmd":"agent"}}}}}}}}]}})",
                                             this_platform(), server.url()));
    registry_url = notes.at("registry.json");
    installer.emplace(context());
    surroundings = {"/opt/sandbox-agent", "/home/me", environment()};
    made.manifest.id = "a";
    made.manifest.name = "A";
    made.manifest.registry = {"a-acp"};
  }
  AgentPtr agent() const { return std::make_shared<const Agent>(made); }
  Result<ChildSpec> ready(TellProgress tell = {}) {
    Agents all{loop, pool, catalog, store, *installer, surroundings, require_preinstall};
    return run(get_ready(all, agent(), std::move(tell)));
  }
  Result<InstallOutcome> install(const InstallWishes& wishes = {}) {
    Agents all{loop, pool, catalog, store, *installer, surroundings, require_preinstall};
    return run(whole_install(all, agent(), wishes));
  }
  static Task<Result<InstallOutcome>> whole_install(Agents& all, AgentPtr agent, InstallWishes wishes) {
    const auto job = co_await begin_install(all, std::move(agent), std::move(wishes));
    co_return co_await wait_for(all.loop, job, {});
  }

  FetchTestServer server{answering(answer_200(speaking_agent))};
  std::optional<Installer> installer;
  Surroundings surroundings;
  Catalog catalog{{}, store};
  Agent made;
  bool require_preinstall = false;
};

Task<> hold(WorkerPool& pool, std::shared_future<void> end) {
  co_await pool.run([&] { return end.wait(), true; });
}

// What was asked of the agents room, and which of it has been answered.
struct Answers {
  bool found = false, ready = false, installed = false;
  bool none() const { return !found && !ready && !installed; }
  bool all() const { return found && ready && installed; }
};

Task<> find_into(Agents& agents, bool& found) { found = (co_await find_agent(agents, "by-hand")).has_value(); }
Task<> ready_into(Agents& agents, AgentPtr agent, bool& ready) {
  ready = (co_await get_ready(agents, std::move(agent), {})).has_value();
}
Task<> install_into(Agents& agents, AgentPtr agent, bool& installed) {
  const auto job = co_await begin_install(agents, std::move(agent), {});
  installed = job->outcome().has_value();
}
Task<> until_all(Loop& loop, const Answers& answers) {
  while (!answers.all()) co_await Yield{loop};
}

}  // namespace

TEST_CASE("who asks for an agent waits for a disk that hangs, and the loop does not") {
  World world;
  world.data.write("bin/agent_processes/a-acp", "#!/bin/sh\n", 0755);
  world.data.write("bin/agent_processes/by-hand-acp", "#!/bin/sh\n", 0755);
  std::promise<void> back;
  WorkerPool hung(world.loop, 1);
  Agents agents{world.loop, hung, world.catalog, world.store, *world.installer, world.surroundings};
  Answers answers;
  spawn(hold(hung, back.get_future().share()));
  spawn(find_into(agents, answers.found));
  spawn(ready_into(agents, world.agent(), answers.ready));
  spawn(install_into(agents, world.agent(), answers.installed));
  world.loop.poll();
  CHECK(answers.none());
  back.set_value();
  world.run(until_all(world.loop, answers));
  CHECK(answers.all());
}

TEST_CASE("an agent that is not installed is installed when it is to be started, and its phases are told") {
  World world;
  Strings phases;
  const auto spec = world.ready([&](const InstallProgress& progress) { phases.push_back(progress.phase); });
  REQUIRE(spec.has_value());
  CHECK(spec->argv == Strings{world.store.launcher("a")});
  CHECK_FALSE(phases.empty());
  phases.clear();
  CHECK(world.ready([&](const InstallProgress& progress) { phases.push_back(progress.phase); }).has_value());
  CHECK(phases.empty());
  CHECK(world.server.heads().size() == 1);
}

TEST_CASE("a server that installs none by itself refuses what is not installed, and starts what is") {
  World world;
  world.require_preinstall = true;
  const auto refused = world.ready();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::agent_not_installed);
  CHECK(refused.error().extra("agent") == "\"a\"");
  CHECK(refused.error().detail.contains("POST /v1/agents/a/install"));
  CHECK(world.server.heads().empty());
  REQUIRE(world.install().has_value());
  CHECK(world.ready().has_value());
}

TEST_CASE("an install that fails is the answer to who wants to start the agent") {
  World world;
  world.notes.write("registry.json", R"({"agents":[]})");
  const auto spec = world.ready();
  REQUIRE_FALSE(spec.has_value());
  CHECK(spec.error().code == ErrorCode::install_failed);
}

TEST_CASE("installing what is there already, by hand or by command, is done at once") {
  World world;
  world.data.write("bin/agent_processes/a-acp", "#!/bin/sh\n", 0755);
  const auto by_hand = world.install();
  REQUIRE(by_hand.has_value());
  CHECK(by_hand->already_installed);
  CHECK(by_hand->record.artifacts.at(0).source == ArtifactSource::local_path);
  CHECK(world.install({.reinstall = true}).error().code == ErrorCode::conflict);

  World command;
  command.made.manifest.registry.clear();
  command.made.manifest.command = {"{self}", "demo"};
  const auto own = command.install();
  REQUIRE(own.has_value());
  CHECK(own->already_installed);
  CHECK(own->record.artifacts.at(0).source == ArtifactSource::builtin);
  command.made.manifest.command = {"no-such-program"};
  const auto missing = command.install();
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().code == ErrorCode::install_failed);
  CHECK(missing.error().detail.contains("'no-such-program' is not on this machine"));
}

}  // namespace sa
