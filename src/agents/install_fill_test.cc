// npm is a script of the test's own: each package it installs has one program, named like the package.
#include "agents/install_fill.h"

#include <doctest/doctest.h>

#include "agents/install_test_world.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;

constexpr char npm[] = R"(echo "$1" >>"$NOTES/npm"
/bin/mkdir -p node_modules/.bin
for package in acp tool; do
  /bin/grep -q "\"$package\"" package.json || continue
  /bin/mkdir -p node_modules/$package
  echo "{\"bin\":\"x.js\"}" >node_modules/$package/package.json
  echo '#!/bin/sh' >node_modules/.bin/$package
  /bin/chmod +x node_modules/.bin/$package
done
echo '{"packages":{"node_modules/acp":{"version":"1.0.1"},"node_modules/tool":{"version":"5.0.1","integrity":"sha512-t"}}}' \
  >node_modules/.package-lock.json
)";

struct World : InstallWorld {
  World() { tool("npm", npm); }

  // An agent with a pinned package that needs a tool.
  Manifest manifest = [] {
    Manifest made;
    made.id = "a";
    made.name = "A";
    made.process = ProcessSource{NpmSource{"acp", "1.0.0", "", "", false}, {"serve"}, {{"E", "1"}}};
    made.native = NativeSource{.program = "tool", .npm = NpmSource{"tool", "5.0.0", "", "", false}, .how = "Get tool."};
    return made;
  }();
  RegistryFinding finding;

  std::shared_ptr<InstallJob> job;  // of the last fill()

  Result<InstallRecord> fill(const InstallWishes& wishes = {}) {
    InstallContext all = context();
    const auto agent = std::make_shared<const Agent>(Agent{manifest, AgentOrigin::builtin});
    const auto plan = plan_install(manifest, finding, wishes, this_platform());
    REQUIRE(plan.has_value());
    const InstallTree place = tree();
    job = std::make_shared<InstallJob>(agent, wishes);
    return run(fill_tree(all, job, place, *plan));
  }
};

}  // namespace

TEST_CASE("a process and the tool it needs are installed into one tree") {
  World world;
  const auto record = world.fill();
  REQUIRE(record.has_value());
  CHECK(record->launch.program == "node_modules/.bin/acp");
  CHECK(record->launch.args == Strings{"serve"});
  CHECK(record->launch.env.at("E") == "1");
  CHECK(record->launch.path == Strings{"node_modules/.bin"});
  REQUIRE(record->artifacts.size() == 2);
  CHECK(record->artifacts[0].version == "1.0.1");
  CHECK(record->artifacts[0].source == ArtifactSource::fallback);
  CHECK(record->artifacts[0].package == "acp");
  CHECK(record->artifacts[1].kind == ArtifactKind::native_agent);
  CHECK(record->artifacts[1].version == "5.0.1");
  CHECK(record->artifacts[1].integrity == "sha512-t");
  CHECK(record->artifacts[1].path == world.store.native("tool"));
  REQUIRE(record->native.has_value());
  CHECK(record->native->program == "node_modules/.bin/tool");
  CHECK(record->native_program == "tool");
  CHECK_FALSE(record->verified);
}

TEST_CASE("a tool that is on PATH already is used as it is, unless a version of it is wished for") {
  World world;
  world.tool("tool", "");
  const auto record = world.fill();
  REQUIRE(record.has_value());
  CHECK(record->artifacts.at(1).source == ArtifactSource::local_path);
  CHECK(record->artifacts.at(1).path == world.tools.at("tool"));
  CHECK_FALSE(record->native.has_value());
  CHECK_FALSE(record->native_program.has_value());
  const auto wished = world.fill({.agent_version = "6.0.0"});
  REQUIRE(wished.has_value());
  CHECK(wished->artifacts.at(1).source == ArtifactSource::fallback);
}

TEST_CASE("PATH is looked through on a worker thread: a folder of it that hangs holds up nobody else") {
  World world;
  world.when_waiting_for_a_thread([&] { world.tool("tool", ""); });
  CHECK(world.fill()->artifacts.at(1).source == ArtifactSource::local_path);
}

TEST_CASE("a tool somebody put into our folder comes before PATH, and one we installed is installed anew") {
  World world;
  world.tool("tool", "");
  world.data.write("bin/tool", "#!/bin/sh\n", 0755);
  CHECK(world.fill()->artifacts.at(1).path == world.store.native("tool"));
  CHECK(world.fill()->artifacts.at(1).source == ArtifactSource::local_path);
  World ours;
  ours.data.write("bin/agent_processes/b.d/t/native", "#!/bin/sh\n", 0755);
  ours.data.link("bin/tool", "agent_processes/b.d/t/native");
  CHECK(ours.fill()->artifacts.at(1).source == ArtifactSource::fallback);
}

TEST_CASE("a tool that cannot be had is told in the manifest's words, before anything is installed") {
  World world;
  world.manifest.native->npm.reset();
  const auto record = world.fill();
  REQUIRE_FALSE(record.has_value());
  CHECK(record.error().detail == "it needs the program 'tool', which is not on PATH. Get tool.");
  CHECK_FALSE(world.notes.has("npm"));
}

TEST_CASE("a tool that only the pinned package needs is not asked for when the registry lists the agent") {
  World world;
  world.manifest.native->pinned_only = true;
  CHECK(world.fill()->artifacts.size() == 2);
  world.finding.entry = RegistryEntry{"a", "2.0.0", {.npx = RegistryPackage{"acp@2.0.0", {}, {}, ""}}};
  const auto record = world.fill();
  REQUIRE(record.has_value());
  CHECK(record->artifacts.size() == 1);
  CHECK(record->registry == RegistryState::listed);
}

TEST_CASE("an archive brings the process, and npm the tool beside it") {
  World world;
  const FetchTestServer server(answering(answer_200(speaking_agent)));
  world.finding.entry = RegistryEntry{
      "a",
      "2.0.0",
      {.binary = std::map<std::string, RegistryArchive>{{std::string(this_platform()), {server.url(), "agent", {}, {}, ""}}}}};
  const auto record = world.fill();
  REQUIRE(record.has_value());
  CHECK(record->launch.program == "files/agent");
  CHECK(record->launch.path == Strings{"node_modules/.bin"});
  CHECK(record->artifacts.at(0).version == "2.0.0");
  CHECK(record->artifacts.at(0).url == server.url());
  CHECK(record->artifacts.at(1).version == "5.0.1");
}

TEST_CASE("while npm works it is told how much it has written") {
  World world;
  world.tool("npm", std::string(npm) + "/usr/bin/head -c 3000000 /dev/zero >node_modules/large\n/bin/sleep 1.2\n");
  REQUIRE(world.fill().has_value());
  CHECK(world.job->progress().phase == "npm");
  CHECK(world.job->progress().bytes.value_or(0) >= 3'000'000);
  CHECK_FALSE(world.job->progress().total.has_value());
}

TEST_CASE("a Python package brings the process") {
  World world;
  world.manifest.native.reset();
  world.manifest.process.reset();
  world.tool("uv", "/bin/mkdir -p \"$UV_TOOL_BIN_DIR\"; /bin/cp /bin/true \"$UV_TOOL_BIN_DIR/acp\"");
  world.finding.entry = RegistryEntry{"a", "2.0.0", {.uvx = RegistryPackage{"acp==2.0.0", {"serve"}, {}, ""}}};
  const auto record = world.fill();
  REQUIRE(record.has_value());
  CHECK(record->launch.program == "files/acp");
  CHECK(record->launch.path.empty());
  CHECK(record->artifacts.at(0).package == "acp==2.0.0");
  CHECK(record->artifacts.at(0).version == "2.0.0");
}

}  // namespace sa
