#include <doctest/doctest.h>
#include <signal.h>

#include "process_trees.h"

using namespace rig;

namespace {

// One daemon with an instance for every kind of tree.
struct Forest {
  Daemon daemon{{"--stop-grace-ms", "400"}};

  Forest() {
    for (const std::string kind : tree_kinds) {
      INFO(kind);
      Acp acp(daemon, kind);
      REQUIRE(grow_tree(acp, kind));
    }
    CHECK_GT(marked_agents(daemon.mark()).size(), 100);
  }
};

}  // namespace

TEST_SUITE_BEGIN("trees");

TEST_CASE("when an agent exits by itself its tree goes with it") {
  for (const std::string kind : tree_kinds) {
    INFO(kind);
    Daemon daemon({"--stop-grace-ms", "300"});
    Acp acp(daemon, "x");
    REQUIRE(grow_tree(acp, kind));
    if (kind != "child_gone") acp.notify("crash");
    CHECK(no_agents_within(daemon.mark(), milliseconds(5000)));
    CHECK(eventually([&] { return acp.listing().at("status").as_string() == "exited"; }));
  }
}

TEST_CASE("SIGTERM ends every tree and the daemon exits 0 within grace + 1 s") {
  Forest forest;
  forest.daemon.stop(SIGTERM);
}

TEST_CASE("SIGINT ends every tree and the daemon exits 0 within grace + 1 s") {
  Forest forest;
  forest.daemon.stop(SIGINT);
}

TEST_CASE("no agent survives a SIGKILL of the daemon by two seconds") {
  const auto limit = scaled(milliseconds(2000));
  const auto took = best_of_three(limit, [] {
    Forest forest;
    forest.daemon.kill();
    const auto start = Clock::now();
    CHECK(no_agents_within(forest.daemon.mark(), milliseconds(10'000)));
    const auto time = since(start);
    CHECK(eventually([&] { return marked_processes(forest.daemon.mark()).empty(); }));
    return time;
  });
  CHECK_LT(took, limit);
}

TEST_CASE("no tree survives a SIGKILL of its supervisor") {
  for (const std::string kind : tree_kinds) {
    if (kind == "child_gone") continue;
    INFO(kind);
    Daemon daemon({"--stop-grace-ms", "300"});
    Acp acp(daemon, "x");
    REQUIRE(grow_tree(acp, kind));
    const pid_t supervisor = parent_of(acp.pid());
    REQUIRE_GT(supervisor, 1);
    REQUIRE_NE(supervisor, daemon.pid());
    kill(supervisor, SIGKILL);
    CHECK(no_agents_within(daemon.mark(), milliseconds(5000)));
    CHECK(eventually([&] { return acp.listing().at("status").as_string() == "exited"; }));
    CHECK_EQ(problem_of(acp.call("echo")), "502 agent_process_exited");
    CHECK_EQ(acp.remove().status, 204);
  }
}

TEST_CASE("other instances live on when one supervisor is killed") {
  Daemon daemon;
  Acp victim(daemon, "victim");
  Acp other(daemon, "other");
  REQUIRE_EQ(victim.call("echo").status, 200);
  REQUIRE(grow_tree(other, "setsid"));
  kill(parent_of(victim.pid()), SIGKILL);
  CHECK(eventually([&] { return victim.listing().at("status").as_string() == "exited"; }));
  CHECK_EQ(other.call("echo").status, 200);
  CHECK(eventually([&] { return marked_agents(daemon.mark()).size() == 2; }));
}

TEST_CASE("ended processes leave no zombies") {
  Daemon daemon;
  for (int i = 0; i < 5; ++i) {
    Acp acp(daemon, "x" + std::to_string(i));
    REQUIRE(grow_tree(acp, "double_fork"));
    if (i % 2 == 0) acp.notify("crash");
    CHECK_EQ(acp.remove().status, 204);
  }
  CHECK_MESSAGE(eventually([&] { return children_of(daemon.pid()).empty(); }), describe(children_of(daemon.pid())));
}

TEST_SUITE_END();
