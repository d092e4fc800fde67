#include <doctest/doctest.h>

#include "process_trees.h"

using namespace rig;

TEST_SUITE_BEGIN("trees");

TEST_CASE("DELETE of every fixture tree is 204 within grace + 400 ms and leaves no process") {
  for (const std::string kind : tree_kinds) {
    INFO(kind);
    const auto limit = milliseconds(300) + scaled(milliseconds(400));
    const auto took = best_of_three(limit, [&] {
      Daemon daemon({"--stop-grace-ms", "300"});
      Acp acp(daemon, "x");
      REQUIRE(grow_tree(acp, kind));
      const auto start = Clock::now();
      CHECK_EQ(acp.remove().status, 204);
      const auto time = since(start);
      const auto left = marked_agents(daemon.mark());
      CHECK_MESSAGE(left.empty(), describe(left));
      CHECK(acp.listing().empty());
      return time;
    });
    CHECK_LT(took, limit);
  }
}

TEST_CASE("the default grace is 1500 ms") {
  const auto limit = milliseconds(1500) + scaled(milliseconds(400));
  const auto took = best_of_three(limit, [] {
    Daemon daemon;
    Acp acp(daemon, "x");
    REQUIRE(grow_tree(acp, "ignores_term"));
    const auto start = Clock::now();
    CHECK_EQ(acp.remove().status, 204);
    const auto time = since(start);
    CHECK_GE(time, milliseconds(1400));
    CHECK(marked_agents(daemon.mark()).empty());
    return time;
  });
  CHECK_LT(took, limit);
}

TEST_CASE("DELETE of an agent that obeys does not wait for the grace") {
  Daemon daemon({"--stop-grace-ms", "3000"});
  Acp acp(daemon, "x");
  const auto limit = scaled(milliseconds(500));
  const auto took = best_of_three(limit, [&] {
    REQUIRE_EQ(acp.call("echo").status, 200);
    const auto start = Clock::now();
    CHECK_EQ(acp.remove().status, 204);
    return since(start);
  });
  CHECK_LT(took, limit);
}

TEST_CASE("SIGTERM goes to every descendant, also outside the group") {
  Daemon daemon({"--stop-grace-ms", "10000"});
  Acp acp(daemon, "x");
  const auto note = daemon.home() / "got-the-signal";
  REQUIRE_EQ(acp.call("tree", R"({"kind":"setsid","note":")" + note.string() + "\"}").status, 200);
  CHECK_EQ(acp.remove().status, 204);
  CHECK(std::filesystem::exists(note));
}

TEST_CASE("DELETE of an unknown id, or again, is 204") {
  Daemon daemon;
  Acp acp(daemon, "x");
  CHECK_EQ(acp.remove().status, 204);
  REQUIRE_EQ(acp.call("echo").status, 200);
  CHECK_EQ(acp.remove().status, 204);
  CHECK_EQ(acp.remove().status, 204);
}

TEST_CASE("DELETE goes on when its client hangs up") {
  Daemon daemon({"--stop-grace-ms", "300"});
  Acp acp(daemon, "x");
  REQUIRE(grow_tree(acp, "ignores_term"));
  acp.begin("DELETE", acp.target()).reset();
  CHECK(no_agents_within(daemon.mark(), milliseconds(10'000)));
}

TEST_CASE("of two DELETEs at once each is 204 when nothing is left") {
  Daemon daemon({"--stop-grace-ms", "300"});
  Acp acp(daemon, "x");
  REQUIRE(grow_tree(acp, "ignores_term"));
  auto first = acp.begin("DELETE", acp.target());
  auto second = acp.begin("DELETE", acp.target());
  CHECK_EQ(second.read_response().status, 204);
  CHECK(marked_agents(daemon.mark()).empty());
  CHECK_EQ(first.read_response().status, 204);
}

TEST_CASE("DELETE answers pending POSTs with 502 at once") {
  Daemon daemon({"--stop-grace-ms", "1000"});
  Acp acp(daemon, "x");
  const auto limit = scaled(milliseconds(400));
  const auto took = best_of_three(limit, [&] {
    REQUIRE(grow_tree(acp, "ignores_term"));
    auto waiting = acp.begin_call("never");
    REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
    const auto start = Clock::now();
    auto removing = acp.begin("DELETE", acp.target());
    CHECK_EQ(problem_of(waiting.read_response()), "502 agent_process_exited");
    const auto time = since(start);
    CHECK_EQ(removing.read_response().status, 204);
    return time;
  });
  CHECK_LT(took, limit);
}

TEST_CASE("DELETE gives streams the rest, agent_exited, and a proper end") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("burst", R"({"count":1000})").status, 200);
  auto stream = acp.stream();
  CHECK_EQ(acp.remove().status, 204);
  CHECK(stream.ends_within(milliseconds(3000)));
  REQUIRE_EQ(stream.rest().size(), 1002);
  CHECK(stream.rest().back().mentions("_adapter/agent_exited"));
}

TEST_CASE("the id is free at once: a POST during teardown makes a new instance") {
  Daemon daemon({"--stop-grace-ms", "4000"});
  Acp acp(daemon, "x");
  REQUIRE(grow_tree(acp, "ignores_term"));
  const auto former = acp.listing();
  auto removing = acp.begin("DELETE", acp.target());
  REQUIRE(eventually([&] { return acp.listing().empty(); }));
  const auto response = acp.call("surroundings");
  REQUIRE_EQ(response.status, 200);
  CHECK(alive(static_cast<pid_t>(former.at("pid").to_number<int>())));
  CHECK_NE(response.header("acp-instance-id"), std::string(former.at("instanceId").as_string().c_str()));
  CHECK_EQ(response.header("acp-event-id"), "1");
  CHECK_EQ(removing.read_response().status, 204);
  CHECK_EQ(acp.call("echo").status, 200);
}

TEST_CASE("DELETE while POSTs create instances cancels or ends them, and nothing is left") {
  Daemon daemon({"--stop-grace-ms", "300"});
  std::vector<Connection> posts;
  std::vector<Connection> deletes;
  for (int i = 0; i < 60; ++i) {
    Acp acp(daemon, "race" + std::to_string(i % 6));
    posts.push_back(acp.begin_call("slow", R"({"ms":20})", std::to_string(i)));
    deletes.push_back(acp.begin("DELETE", acp.target()));
  }
  for (auto& connection : deletes) CHECK_EQ(connection.read_response().status, 204);
  for (auto& connection : posts) {
    const auto status = connection.read_response().status;
    CHECK((status == 200 || status == 409 || status == 502));
  }
  for (int i = 0; i < 6; ++i) CHECK_EQ(Acp(daemon, "race" + std::to_string(i)).remove().status, 204);
  const auto left = marked_agents(daemon.mark());
  CHECK_MESSAGE(left.empty(), describe(left));
}

TEST_SUITE_END();
