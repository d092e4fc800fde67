// Real processes and threads, and an archive server on loopback; the agents are a few lines of shell.
#include "agents/installer.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "agents/agents.h"
#include "agents/install_test_world.h"

namespace sa {
namespace {

using Strings = std::vector<std::string>;
using tar_test::Archive;

std::string archive_of(const std::string& program) { return tar_test::gzip(Archive().file("agent", program, 0755).end()); }

// What the server hands out, which can change.
class Shelf {
 public:
  void put(const std::string& program) {
    const std::lock_guard lock(mutex_);
    answer_ = answer_200(archive_of(program));
  }
  void put_answer(std::string answer) {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
  }
  FetchTestServer::Handler handler() {
    return [this](TestPeer& peer, const std::string&) {
      const std::lock_guard lock(mutex_);
      peer.write(answer_);
    };
  }

 private:
  std::mutex mutex_;
  std::string answer_ = answer_200(archive_of(speaking_agent));
};

// An installer for one agent whose archive the registry's file names.
struct World : InstallWorld {
  World() {
    list("1.0.0");
    registry_url = notes.at("registry.json");
    installer.emplace(context());
  }
  void list(const std::string& version, const std::string& sha256 = "") const {
    notes.write("registry.json",
                fmt::format(R"({{"agents":[{{"id":"a-acp","version":"{}","distribution":{{"binary":{{"{}":{{"archive":"{}",
                  "cmd":"./agent","args":["serve"],"env":{{"PATH":"/evil","GIVEN":"1"}},"sha256":"{}"}}}}}}}}]}})",
                            version, this_platform(), server.url("/a.tgz"), sha256));
  }
  AgentPtr agent() const {
    Agent made;
    made.manifest.id = "a";
    made.manifest.name = "A";
    made.manifest.registry = {"a-acp"};
    return std::make_shared<const Agent>(std::move(made));
  }
  Result<InstallOutcome> install(InstallWishes wishes = {}) {
    return run(wait_for(loop, installer->install(agent(), std::move(wishes)), {}));
  }
  // The trees there are; those of other versions than the launcher's too.
  Strings trees() const { return data.names("bin/agent_processes/a.d"); }
  bool is_by_hand() const { return store.look("a").found == Store::Found::by_hand; }

  Shelf shelf;
  FetchTestServer server{shelf.handler()};
  std::optional<Installer> installer;
};

constexpr char failing_agent[] = "#!/bin/sh\necho 'no libc here' >&2\nexit 9\n";

Task<bool> remove_task(Installer& installer, AgentPtr agent) {
  const auto removed = co_await installer.remove(agent);
  co_return removed.has_value();
}

}  // namespace

TEST_CASE("an agent of the registry is installed, verified and recorded") {
  World world;
  const auto outcome = world.install();
  REQUIRE(outcome.has_value());
  CHECK_FALSE(outcome->already_installed);
  const auto there = world.store.look("a");
  CHECK(there.found == Store::Found::installed);
  CHECK(there.tree.starts_with("1.0.0-"));
  CHECK(world.trees() == Strings{there.tree});
  const auto record = world.store.record("a", there.tree);
  REQUIRE(record.has_value());
  CHECK(to_json(*record) == to_json(outcome->record));
  CHECK(record->agent == "a");
  CHECK(record->registry == RegistryState::listed);
  CHECK(record->verified);
  CHECK(record->verified_at_ms > 1'600'000'000'000);
  CHECK(record->launch.program == "files/agent");
  CHECK(record->launch.args == Strings{"serve"});
  CHECK(record->launch.env == std::map<std::string, std::string>{{"GIVEN", "1"}});
  REQUIRE(record->artifacts.size() == 1);
  const Artifact& process = record->artifacts.front();
  CHECK(process.kind == ArtifactKind::agent_process);
  CHECK(process.source == ArtifactSource::registry);
  CHECK(process.version == "1.0.0");
  CHECK(process.url == world.server.url("/a.tgz"));
  CHECK(process.sha256.value_or("").size() == 64);
  CHECK(process.path == world.store.launcher("a"));
}

TEST_CASE("an install that is there already is found, not made again") {
  World world;
  REQUIRE(world.install().has_value());
  const std::string tree = world.store.look("a").tree;
  const auto again = world.install();
  REQUIRE(again.has_value());
  CHECK(again->already_installed);
  CHECK(again->record.artifacts.front().version == "1.0.0");
  CHECK(world.install({.process_version = "1.0.0"})->already_installed);
  CHECK(world.store.look("a").tree == tree);
  CHECK(world.server.heads().size() == 1);
}

TEST_CASE("a reinstall makes a new tree and keeps the one before it") {
  World world;
  REQUIRE(world.install().has_value());
  const std::string before = world.store.look("a").tree;
  world.list("2.0.0");
  CHECK(world.install().value().already_installed);
  const auto outcome = world.install({.reinstall = true});
  REQUIRE(outcome.has_value());
  CHECK_FALSE(outcome->already_installed);
  CHECK(world.store.look("a").tree.starts_with("2.0.0-"));
  CHECK(world.trees().size() == 2);
  CHECK(std::ranges::count(world.trees(), before) == 1);
}

TEST_CASE("all who ask for the same install share one job, and hear of its phases") {
  World world;
  const auto first = world.installer->install(world.agent(), {});
  CHECK(world.installer->install(world.agent(), {}) == first);
  CHECK(world.installer->running() == 1);
  Strings phases;
  const auto tell = [&](const InstallProgress& progress) {
    if (phases.empty() || phases.back() != progress.phase) phases.push_back(progress.phase);
  };
  REQUIRE(world.run(wait_for(world.loop, first, tell)).has_value());
  CHECK(std::ranges::count(phases, "verifying") == 1);
  CHECK(world.installer->running() == 0);
  CHECK(world.server.heads().size() == 1);
}

TEST_CASE("two different wishes are two jobs, one after the other, and the second finds what it wants") {
  World world;
  const auto any = world.installer->install(world.agent(), {});
  const auto exact = world.installer->install(world.agent(), {.agent_version = "1.0.0"});
  CHECK(any != exact);
  CHECK(world.installer->install(world.agent(), {.process_version = "1.0.0"}) == exact);
  CHECK(world.installer->running() == 2);
  const auto first = world.run(wait_for(world.loop, any, {}));
  const auto second = world.run(wait_for(world.loop, exact, {}));
  REQUIRE((first.has_value() && second.has_value()));
  CHECK(first->already_installed != second->already_installed);
  CHECK(world.server.heads().size() == 1);
  CHECK(world.trees().size() == 1);
}

TEST_CASE("an install that fails leaves the old one and no tree") {
  World world;
  REQUIRE(world.install().has_value());
  const Strings before = world.trees();
  const auto failure = [&] {
    const auto outcome = world.install({.reinstall = true});
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().code == ErrorCode::install_failed);
    CHECK(outcome.error().extra("agent") == "\"a\"");
    CHECK(outcome.error().detail.starts_with("The agent 'a' could not be installed: "));
    CHECK(world.trees() == before);
    CHECK(world.store.look("a").tree == before.front());
    return outcome.error();
  };
  world.list("2.0.0", std::string(64, 'b'));
  const Error unlike = failure();
  CHECK(unlike.detail.contains("SHA-256"));
  CHECK(unlike.extra("stderr") == R"("")");
  CHECK(unlike.extra("command").empty());
  world.list("2.0.0");
  world.shelf.put_answer("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n");
  CHECK(failure().detail.contains("answered 500"));
  world.shelf.put_answer(answer_200(tar_test::gzip(Archive().file("other").end())));
  CHECK(failure().detail.contains("has no program 'agent'"));
  world.shelf.put(failing_agent);
  const Error unverified = failure();
  CHECK(unverified.detail.contains(
      "verification failed: initialize: the agent exited with code 9 before it answered: no libc here"));
  CHECK(unverified.extra("stderr").contains("no libc here"));
  CHECK(std::ranges::count(unverified.extras, "stderr", &ErrorExtra::name) == 1);
  CHECK(unverified.extra("command").ends_with("/launch\""));
  world.notes.write("registry.json", R"({"agents":[{"id":"a-acp","version":1}]})");
  CHECK(failure().detail.contains("the registry's entry of it cannot be used: 'agents.a-acp.version' must be a string"));
}

TEST_CASE("a manifest's own verification is run with its arguments") {
  World world;
  world.shelf.put("#!/bin/sh\necho \"$*\" >\"$NOTES/verified\"\nexit ${FAIL:-0}\n");
  Agent made = *world.agent();
  made.manifest.verify = {"--version", "x"};
  const auto agent = std::make_shared<const Agent>(made);
  REQUIRE(world.run(wait_for(world.loop, world.installer->install(agent, {}), {})).has_value());
  CHECK(world.notes.read("verified") == "--version x\n");
  world.shelf.put("#!/bin/sh\necho broken >&2\nexit 3\n");
  const auto outcome = world.run(wait_for(world.loop, world.installer->install(agent, {.reinstall = true}), {}));
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().detail == "The agent 'a' could not be installed: its verification ended with code 3: broken.");
  CHECK(outcome.error().extra("stderr") == R"("broken\n")");
  CHECK(outcome.error().extra("command").contains("/launch --version x"));
  CHECK(world.trees().size() == 1);
}

TEST_CASE("a verification sees the variables of the manifest") {
  World world;
  world.shelf.put("#!/bin/sh\n[ \"$NEEDED\" = yes ]\n");
  Agent made = *world.agent();
  made.manifest.verify = {"--version"};
  const auto install = [&] {
    return world.run(wait_for(world.loop, world.installer->install(std::make_shared<const Agent>(made), {}), {}));
  };
  CHECK_FALSE(install().has_value());
  made.manifest.env = {{"NEEDED", "yes"}};
  CHECK(install().has_value());
}

TEST_CASE("removing calls off an install under way") {
  World world;
  const auto job = world.installer->install(world.agent(), {});
  CHECK(world.run(remove_task(*world.installer, world.agent())));
  const auto outcome = world.run(wait_for(world.loop, job, {}));
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == ErrorCode::conflict);
  CHECK(world.trees().empty());
  CHECK(world.install().has_value());
}

TEST_CASE("a launcher put there by hand is a conflict, and stays") {
  World world;
  world.data.write("bin/agent_processes/a-acp", "mine", 0755);
  const auto outcome = world.install();
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == ErrorCode::conflict);
  CHECK(outcome.error().detail.contains(world.store.launcher("a")));
  CHECK(world.server.heads().empty());
  CHECK(world.run(remove_task(*world.installer, world.agent())));
  CHECK(world.data.read("bin/agent_processes/a-acp") == "mine");
}

TEST_CASE("a launcher that appears during the install is not replaced") {
  World world;
  world.shelf.put("#!/bin/sh\necho mine >\"$0.tmp\"\nread -r line\n/bin/cp /bin/true '" + world.store.launcher("a") + "'\n" +
                  "echo '{\"id\":1,\"result\":{\"protocolVersion\":1}}'\nread -r line\n");
  const auto outcome = world.install();
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == ErrorCode::conflict);
  CHECK(world.is_by_hand());
  CHECK(world.trees().empty());
}

TEST_CASE("what was installed can be removed, and installed again") {
  World world;
  REQUIRE(world.install().has_value());
  CHECK(world.run(remove_task(*world.installer, world.agent())));
  CHECK(world.store.look("a").found == Store::Found::nothing);
  CHECK(world.trees().empty());
  CHECK(world.run(remove_task(*world.installer, world.agent())));
  CHECK_FALSE(world.install().value().already_installed);
}

TEST_CASE("what a killed install left is removed by the next one") {
  World world;
  world.data.write("bin/agent_processes/a.d/0.9-killed/files/half", "x");
  REQUIRE(world.install().has_value());
  CHECK(world.trees() == Strings{world.store.look("a").tree});
}

TEST_CASE("an install whose record is lost is made again") {
  World world;
  REQUIRE(world.install().has_value());
  std::filesystem::remove(world.store.folder("a") + "/" + world.store.look("a").tree + "/install.json");
  CHECK_FALSE(world.install().value().already_installed);
}

TEST_CASE("a stop in the middle ends the install and removes its tree") {
  World world;
  world.shelf.put("#!/bin/sh\necho >\"$NOTES/started\"\nexec /bin/sleep 300\n");
  world.when_noted("started", [&world] { world.installer->stop(); });
  const auto outcome = world.install();
  REQUIRE_FALSE(outcome.has_value());
  CHECK(outcome.error().code == ErrorCode::overloaded);
  CHECK(world.trees().empty());
  CHECK(world.store.look("a").found == Store::Found::nothing);
  CHECK(world.installer->running() == 0);
}

TEST_CASE("an install waits for another process that installs the same, and says so") {
  World world;
  REQUIRE(make_directories(world.store.folder("a")).has_value());
  const UniqueFd directory(::open(world.store.folder("a").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::optional<DirectoryLock> other(DirectoryLock::take(directory.get(), "a", {}, world.stop).value());
  bool waited = false;
  const auto tell = [&](const InstallProgress& progress) {
    waited = waited || progress.phase == "waiting";
    if (progress.phase == "waiting") other.reset();
  };
  const auto outcome = world.run(wait_for(world.loop, world.installer->install(world.agent(), {}), tell));
  CHECK(outcome.has_value());
  CHECK(waited);
}

TEST_CASE("without the registry an agent that needs it cannot be had, and says so") {
  World world;
  std::filesystem::remove(world.notes.at("registry.json"));
  const auto missing = world.install().error().detail;
  CHECK(missing.starts_with("The agent 'a' could not be installed: the registry could not be reached (There is no '"));
  CHECK(missing.ends_with("Check the path), and no other source of it is known."));
  world.notes.write("registry.json", "<html>");
  CHECK(world.install().error().detail.contains("registry.json' is no registry of agents"));
  world.notes.write("registry.json", R"({"agents":[]})");
  CHECK(world.install().error().detail.contains("the registry does not list it"));
  CHECK(world.trees().empty());
}

TEST_CASE("a tree that somebody else fills becomes an install when it is good") {
  World world;
  const auto fill = [](const InstallTree& tree) -> Result<InstallRecord> {
    TRY_VOID(tree.write("agent", speaking_agent, 0755));
    InstallRecord record{.agent = "a", .launch = {.program = "agent"}};
    record.artifacts.push_back({.version = "7", .package = "p"});
    return record;
  };
  const auto outcome = world.run(world.installer->install_filled(world.agent(), "7", fill));
  REQUIRE(outcome.has_value());
  CHECK(world.store.look("a").tree.starts_with("7-"));
  const auto refuse = [](const InstallTree&) -> Result<InstallRecord> { return fail(ErrorCode::internal, "no good"); };
  const auto refused = world.run(world.installer->install_filled(world.agent(), "8", refuse));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().detail == "The agent 'a' could not be installed: no good.");
  CHECK(world.trees().size() == 1);
}

TEST_CASE("a tool that was found where a tree comes from must be on this machine too, and is used from where it is here") {
  World world;
  Agent needy = *world.agent();
  needy.manifest.native = NativeSource{.program = "tool", .how = "Get tool."};
  const auto agent = std::make_shared<const Agent>(needy);
  const auto fill = [](const InstallTree& tree) -> Result<InstallRecord> {
    TRY_VOID(tree.write("agent", speaking_agent, 0755));
    InstallRecord record{.agent = "a", .launch = {.program = "agent"}};
    record.artifacts.push_back({.version = "7", .package = "p"});
    record.artifacts.push_back({.kind = ArtifactKind::native_agent, .path = "/elsewhere/tool"});
    return record;
  };
  const auto refused = world.run(world.installer->install_filled(agent, "7", fill));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::install_failed);
  CHECK(refused.error().detail ==
        "The agent 'a' could not be installed: it needs the program 'tool', which is not on PATH. Get tool.");
  CHECK(world.trees().empty());
  world.tool("tool", "");
  const auto installed = world.run(world.installer->install_filled(agent, "7", fill));
  REQUIRE(installed.has_value());
  CHECK(installed->record.artifacts.at(1).path == world.tools.at("tool"));
  CHECK(installed->record.artifacts.at(1).source == ArtifactSource::local_path);
}

}  // namespace sa
