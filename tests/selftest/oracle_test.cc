#include "support/oracle.h"

#include <doctest/doctest.h>

#include "piped_agent.h"
#include "scripted_server.h"
#include "support/acp.h"

using namespace rig;

namespace {

std::string event(std::uint64_t id, std::string_view data) {
  return "event: message\nid: " + std::to_string(id) + "\ndata: " + std::string(data) + "\n\n";
}

// An agent that said `count` lines, and the lines.
struct Spoken {
  PipedAgent agent{{"zoo"}};
  std::vector<std::string> lines;

  explicit Spoken(int count) {
    agent.tell(rpc_notification("burst", R"({"count":)" + std::to_string(count) + "}"));
    for (int i = 0; i < count; ++i) lines.push_back(agent.hear());
  }
  std::string play(std::uint64_t last_id) const {
    std::string out;
    for (auto i = last_id; i < lines.size(); ++i) out += event(i + 1, lines[i]);
    return out;
  }
};

std::vector<std::string> verdict_on(const Spoken& spoken, const std::string& events, ReaderPlan plan = {}) {
  ScriptedServer server([&](std::uint64_t) { return events; });
  Oracle oracle(server.port(), "t", spoken.agent.folder(), "none");
  oracle.know_agent("one", const_cast<Spoken&>(spoken).agent.process().pid());
  plan.server_id = "x";
  const auto reader = oracle.add_reader(std::move(plan));
  eventually([&] { return oracle.report(reader).ended; });
  return oracle.verdict(true, milliseconds(0));
}

}  // namespace

TEST_SUITE_BEGIN("support");

TEST_CASE("the oracle is content with a faithful stream") {
  const Spoken spoken(5);
  CHECK(verdict_on(spoken, spoken.play(0)).empty());
}

TEST_CASE("the oracle sees a missing, a doubled, a changed and a foreign event") {
  const Spoken spoken(5);
  const auto& said = spoken.lines;
  CHECK_FALSE(verdict_on(spoken, event(1, said[0]) + event(3, said[2])).empty());
  CHECK_FALSE(verdict_on(spoken, event(1, said[0]) + event(1, said[0])).empty());
  CHECK_FALSE(verdict_on(spoken, event(1, said[0] + " ")).empty());
  CHECK_FALSE(verdict_on(spoken, event(1, said[1])).empty());
  CHECK_FALSE(verdict_on(spoken, spoken.play(0) + event(6, R"({"jsonrpc":"2.0"})")).empty());
  CHECK(verdict_on(spoken, spoken.play(0) + event(6, R"({"method":"_adapter/agent_exited"})")).empty());
  CHECK_FALSE(verdict_on(spoken, event(1, R"({"method":"_adapter/invalid_stdout"})")).empty());
  CHECK_FALSE(verdict_on(spoken, event(1, R"({"method":"_adapter/agent_exited"})")).empty());
}

TEST_CASE("the oracle sees that a position is none, and that what is called lost is not") {
  const Spoken spoken(5);
  const ReaderPlan to_come{.from = 1000};
  const std::string unknown = "event: gap\ndata: {\"reason\":\"unknown_position\"}\n\n";
  CHECK(verdict_on(spoken, unknown + spoken.play(0), to_come).empty());
  CHECK_FALSE(verdict_on(spoken, unknown + spoken.play(3), to_come).empty());
  CHECK_FALSE(verdict_on(spoken, spoken.play(0), to_come).empty());
  const std::string gap = "event: gap\ndata: {\"from\":1,\"to\":3}\n\n";
  CHECK(verdict_on(spoken, gap + spoken.play(3), {.ring_messages = 2}).empty());
  CHECK_FALSE(verdict_on(spoken, gap + spoken.play(3), {.ring_messages = 4}).empty());
}

TEST_CASE("the oracle's readers come back with Last-Event-ID after a cut") {
  const Spoken spoken(1000);
  ScriptedServer server([&](std::uint64_t last_id) { return spoken.play(last_id); });
  Oracle oracle(server.port(), "t", spoken.agent.folder(), "none");
  oracle.know_agent("one", const_cast<Spoken&>(spoken).agent.process().pid());
  const auto reader = oracle.add_reader({.server_id = "x", .cuts = 10, .cut_after_events = 50});
  REQUIRE(eventually([&] { return oracle.report(reader).ended; }));
  const auto report = oracle.report(reader);
  CHECK_EQ(report.connections, 11);
  CHECK_EQ(report.events, 1000);
  CHECK(report.faults.empty());
}

TEST_CASE("the oracle checks 100,000 events for 20 readers in seconds") {
  std::string events;
  for (std::uint64_t i = 1; i <= 100000; ++i) events += event(i, R"({"pad":")" + std::string(190, 'x') + "\"}");
  ScriptedServer server([&](std::uint64_t) { return events; });
  Oracle oracle(server.port(), "t", "/nowhere", "none");
  const auto start = Clock::now();
  oracle.add_readers(20, {.server_id = "x"});
  CHECK(oracle.all_reach(100000, milliseconds(20000)));
  CHECK_LT(since(start), scaled(milliseconds(8000)));
  CHECK(oracle.verdict(false).empty());
}

TEST_SUITE_END();
