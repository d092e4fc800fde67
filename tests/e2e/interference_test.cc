// Somebody meddles with the processes between the daemon and its agents.
#include <doctest/doctest.h>
#include <signal.h>

#include "process_trees.h"
#include "server_run.h"

using namespace rig;

namespace {

constexpr const char* kinds_with_an_agent[] = {"setsid", "double_fork", "ignores_term", "storm"};

// An agent with a tree of processes whose supervisor has been stopped.
struct StoppedTree {
  explicit StoppedTree(const std::string& kind) : daemon({"--stop-grace-ms", "300"}), acp(daemon, "x") {
    REQUIRE(grow_tree(acp, kind));
    const pid_t supervisor = parent_of(acp.pid());
    kill(supervisor, SIGSTOP);
    REQUIRE(eventually([&] { return stopped(supervisor); }));
  }

  Daemon daemon;
  Acp acp;
};

}  // namespace

TEST_SUITE_BEGIN("trees");

TEST_CASE("DELETE leaves no process even if the supervisor was stopped") {
  for (const std::string kind : kinds_with_an_agent) {
    INFO(kind);
    const auto limit = milliseconds(300) + scaled(milliseconds(400));
    const auto took = best_of_three(limit, [&] {
      StoppedTree tree(kind);
      const auto start = Clock::now();
      CHECK_EQ(tree.acp.remove().status, 204);
      const auto time = since(start);
      const auto left = marked_agents(tree.daemon.mark());
      CHECK_MESSAGE(left.empty(), describe(left));
      return time;
    });
    CHECK_LT(took, limit);
  }
}

TEST_CASE("a shutdown leaves no process even if the supervisor was stopped") {
  for (const std::string kind : kinds_with_an_agent) {
    INFO(kind);
    StoppedTree tree(kind);
    const auto start = Clock::now();
    tree.daemon.stop(SIGTERM);
    CHECK_LT(since(start), milliseconds(300) + scaled(milliseconds(1000)));
  }
}

TEST_CASE("a killed daemon leaves no process even if the supervisor was stopped") {
  for (const std::string kind : kinds_with_an_agent) {
    INFO(kind);
    StoppedTree tree(kind);
    tree.daemon.kill();
    CHECK_MESSAGE(no_agents_within(tree.daemon.mark(), milliseconds(10000)), describe(marked_agents(tree.daemon.mark())));
  }
}

TEST_CASE("a child that the daemon was born with survives the end of a supervisor") {
  TempDir home;
  ServerRun server(home.path(), R"(sleep 60 & echo $! > helper; exec "$@")", {"--no-token"});
  const auto helper = static_cast<pid_t>(std::stoi(read_file(home.path() / "helper")));
  REQUIRE_EQ(parent_of(helper), server.process.pid());
  REQUIRE_EQ(server.request("POST", "/v1/acp/x?agent=fake", rpc_request("1", "echo")).status, 200);
  const auto agent = static_cast<pid_t>(server.first_server().at("pid").to_number<int>());
  kill(parent_of(agent), SIGKILL);
  CHECK(eventually([&] { return server.first_server().at("status").as_string() == "exited"; }));
  CHECK(no_agents_within(server.mark, milliseconds(5000)));
  CHECK_EQ(server.request("DELETE", "/v1/acp/x").status, 204);
  CHECK(alive(helper));
  server.process.signal(SIGTERM);
  CHECK_EQ(server.process.wait(milliseconds(5000)), Ending{.code = 0, .signal = 0});
}

TEST_SUITE_END();
