#include <doctest/doctest.h>
#include <sys/resource.h>

#include "support/acp.h"
#include "support/survivors.h"

using namespace rig;

namespace {

boost::json::value surroundings(const Daemon& daemon, const std::string& agent = "fake") {
  Acp acp(daemon, "around-" + agent, agent);
  const auto response = acp.call("surroundings");
  REQUIRE_EQ(response.status, 200);
  return parse_json(response.body).at("result");
}

std::filesystem::path launcher(const std::filesystem::path& home, const std::string& id) {
  return home / "data/sandbox-agent/bin/agent_processes" / (id + "-acp");
}

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("an agent gets the daemon's directory and environment, and the path of the daemon") {
  Daemon daemon(DaemonSetup{.env = {"SOMETHING=of the user's"}});
  const auto around = surroundings(daemon);
  CHECK_EQ(around.at("cwd").as_string(), std::filesystem::canonical(daemon.home()).string());
  CHECK_EQ(around.at("env").at("SOMETHING").as_string(), "of the user's");
  CHECK_EQ(around.at("env").at("HOME").as_string(), daemon.home().string());
  CHECK_EQ(around.at("env").at("SANDBOX_AGENT_BIN").as_string(), std::filesystem::canonical(binary_under_test()).string());
}

TEST_CASE("an agent gets default signals and nothing blocked") {
  Daemon daemon;
  const auto around = surroundings(daemon);
  constexpr std::uint64_t of_the_c_library = 0x180000000;  // signals 32 and 33, which posix_spawn itself ignores
  const auto mask = [&](const char* name) { return std::strtoull(around.at(name).as_string().c_str(), nullptr, 16); };
  CHECK_EQ(mask("blocked"), 0);
  CHECK_EQ(mask("ignored") & ~of_the_c_library, 0);
}

TEST_CASE("an agent gets the original descriptor limit") {
  Daemon daemon(DaemonSetup{.nofile = 512});
  const auto around = surroundings(daemon);
  CHECK_EQ(around.at("nofileSoft").to_number<int>(), 512);
  rlimit ours{};
  getrlimit(RLIMIT_NOFILE, &ours);
  Daemon usual;
  CHECK_EQ(surroundings(usual).at("nofileSoft").to_number<std::uint64_t>(), ours.rlim_cur);
}

TEST_CASE("an agent inherits no descriptor but its three streams") {
  Daemon daemon;
  Acp other(daemon, "other");
  REQUIRE_EQ(other.call("echo").status, 200);
  auto stream = other.stream();
  CHECK_EQ(boost::json::serialize(surroundings(daemon).at("fds")), "[0,1,2]");
}

TEST_CASE("an agent has its own session and is a better victim for the kernel than the daemon") {
  Daemon daemon;
  const auto around = surroundings(daemon);
  CHECK_EQ(around.at("sid").to_number<int>(), around.at("pid").to_number<int>());
  CHECK_EQ(around.at("pgid").to_number<int>(), around.at("pid").to_number<int>());
  const auto ours = std::atoi(read_file("/proc/" + std::to_string(daemon.pid()) + "/oom_score_adj").c_str());
  CHECK_GT(around.at("oomScoreAdj").to_number<int>(), ours);
}

TEST_CASE("--agent takes a command line with quotes and no shell") {
  const auto command = "quoted=" + fake_agent_command() + R"( zoo "two words" 'single $HOME' back\ slash ";rm" *)";
  Daemon daemon({"--agent", command});
  const auto argv = surroundings(daemon, "quoted").at("argv").as_array();
  REQUIRE_EQ(argv.size(), 7);
  CHECK_EQ(argv[2].as_string(), "two words");
  CHECK_EQ(argv[3].as_string(), "single $HOME");
  CHECK_EQ(argv[4].as_string(), "back slash");
  CHECK_EQ(argv[5].as_string(), ";rm");
  CHECK_EQ(argv[6].as_string(), "*");
}

TEST_CASE("a program without a slash is found on PATH") {
  Daemon daemon({"--agent", "catty=cat"});
  Acp acp(daemon, "x", "catty");
  REQUIRE_EQ(acp.notify("hello").status, 202);
  auto stream = acp.stream();
  CHECK_EQ(stream.next().data, rpc_notification("hello"));
}

TEST_CASE("an executable launcher put there by hand is the agent, without arguments") {
  Daemon daemon(DaemonSetup{.prepare = [](const std::filesystem::path& home) {
    write_file(launcher(home, "claude"),
               "#!/bin/sh\necho \"{\\\"started with\\\":\\\"$# arguments\\\"}\"\nexec " + fake_agent_command() + " zoo\n",
               true);
  }});
  Acp acp(daemon, "x", "claude");
  REQUIRE_EQ(acp.call("echo").status, 200);
  auto stream = acp.stream();
  CHECK_EQ(stream.next().data, R"({"started with":"0 arguments"})");
}

TEST_CASE("a launcher wins over the built-in mock") {
  Daemon daemon(DaemonSetup{.prepare = [](const std::filesystem::path& home) {
    write_file(launcher(home, "mock"), "#!/bin/sh\nexec " + fake_agent_command() + " zoo\n", true);
  }});
  CHECK_EQ(Acp(daemon, "x", "mock").call("surroundings").status, 200);
  CHECK_EQ(marked_agents(daemon.mark()).size(), 1);
}

TEST_CASE("a server id never becomes a path on disk") {
  Daemon daemon;
  Acp acp(daemon, "../../unwelcome-file");
  REQUIRE_EQ(acp.call("echo").status, 200);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(daemon.home())) {
    CHECK_EQ(entry.path().string().find("unwelcome-file"), std::string::npos);
  }
}

TEST_SUITE_END();
