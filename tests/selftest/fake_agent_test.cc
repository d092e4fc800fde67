#include <doctest/doctest.h>

#include "piped_agent.h"
#include "support/acp.h"
#include "support/ledger.h"

using namespace rig;

TEST_SUITE_BEGIN("support");

TEST_CASE("the zoo echoes raw ids and parameters it does not know") {
  PipedAgent agent({"zoo"});
  agent.tell(R"({"id":1.0e0,"method":"x","params":{"a":[1,"}"],"b":"\ud800"}})");
  CHECK_EQ(agent.hear(), R"({"jsonrpc":"2.0","id":1.0e0,"result":{"echo":{"a":[1,"}"],"b":"\ud800"}}})");
}

TEST_CASE("the zoo respells, holds, asks and bursts") {
  PipedAgent agent({"zoo"});
  agent.tell(rpc_request("\"\\u0061\"", "respell", R"({"as":"\"a\""})"));
  CHECK_EQ(agent.hear(), R"({"jsonrpc":"2.0","id":"a","result":{"respelled":true}})");
  agent.tell(rpc_request("1", "hold", "{}"));
  agent.tell(rpc_request("2", "hold", "{}"));
  agent.hear();
  agent.hear();
  CHECK_EQ(number_at(agent.hear(), "id"), 2);
  CHECK_EQ(number_at(agent.hear(), "id"), 1);
  agent.tell(rpc_notification("ask", R"({"id":"q"})"));
  CHECK_EQ(text_at(agent.hear(), "id"), "q");
  agent.tell(rpc_result("\"q\""));
  CHECK_EQ(text_at(agent.hear(), "params.line"), rpc_result("\"q\""));
  agent.tell(rpc_request("3", "burst", R"({"count":2,"bytes":150})"));
  CHECK_EQ(agent.hear().size(), 150);
  CHECK_EQ(number_at(agent.hear(), "params.n"), 2);
}

TEST_CASE("verbatim mode reports every line as it came") {
  PipedAgent agent({"verbatim"});
  agent.tell(R"({"method":"x","p":"\u00e9\\"} )");
  CHECK_EQ(text_at(agent.hear(), "params.line"), R"({"method":"x","p":"\u00e9\\"} )");
}

TEST_CASE("the ledger holds what the agent said") {
  PipedAgent agent({"zoo"});
  agent.tell(rpc_request("1", "burst", R"({"count":3})"));
  agent.hear();
  agent.hear();
  const auto third = agent.hear();
  const auto answer = agent.hear();
  Ledger ledger(agent.folder(), agent.process().pid());
  CHECK(eventually([&] { return ledger.written() == 4; }));
  CHECK(ledger.matches(3, third));
  CHECK(ledger.matches(4, answer));
  CHECK_FALSE(ledger.matches(4, third));
  CHECK_FALSE(ledger.matches(5, answer));
}

TEST_CASE("the ledger counts what the agent heard, and what it heard twice") {
  PipedAgent agent({"zoo"});
  agent.tell(rpc_notification("echo"));
  std::size_t bytes = 0;
  for (const auto* id : {"1", "2", "2", "\"2\""}) {
    agent.tell(rpc_request(id, "echo"));
    bytes += agent.hear().size();
  }
  const Ledger ledger(agent.folder(), agent.process().pid());
  CHECK_EQ(ledger.heard(), 5);
  CHECK_EQ(ledger.heard_twice(), 1);
  CHECK_EQ(ledger.bytes(), bytes);
}

TEST_CASE("an agent with the process number of an earlier one leaves that one's ledger alone") {
  const TempDir folder;
  const auto earlier = folder.path() / "earlier";
  write_file(earlier, "what it said");
  Process agent(
      {.argv = {"/bin/sh", "-c", R"(ln "$1" "$FAKE_AGENT_LEDGER_DIR/ledger.$$" && exec "$0" zoo)", fake_agent_path(), earlier},
       .env = {"FAKE_AGENT_LEDGER_DIR=" + folder.path().string()}});
  REQUIRE(agent.wait(milliseconds(10000)) == Ending{.code = 0});
  CHECK_EQ(read_file(earlier), "what it said");
  CHECK_EQ(Ledger(folder.path(), agent.pid()).written(), 0);
}

TEST_CASE("every shape of tree stands, is found by its marker, and can be ended") {
  const std::pair<const char*, std::size_t> kinds[] = {{"same_group", 2},  {"own_group", 2},    {"setsid", 2},
                                                       {"double_fork", 2}, {"ignores_term", 2}, {"child_gone", 1},
                                                       {"storm", 100}};
  for (const auto& [kind, least] : kinds) {
    INFO(std::string(kind));
    PipedAgent agent({"zoo"});
    agent.tell(rpc_request("1", "tree", std::string(R"({"kind":")") + kind + "\"}"));
    CHECK_EQ(text_at(agent.hear(), "result.grown"), kind);
    CHECK(eventually([&] { return marked_agents(agent.mark()).size() >= least; }));
    kill_marked(agent.mark());
    const auto left = marked_agents(agent.mark());
    CHECK_MESSAGE(left.empty(), describe(left));
  }
}

TEST_CASE("a crash ends the agent as it was told") {
  PipedAgent by_code({"zoo"});
  by_code.tell(rpc_request("1", "crash", R"({"code":7})"));
  CHECK_EQ(by_code.process().wait(milliseconds(10000)).value().code, 7);
  PipedAgent by_signal({"zoo"});
  by_signal.tell(rpc_request("1", "crash", R"({"signal":11})"));
  CHECK_EQ(by_signal.process().wait(milliseconds(10000)).value().signal, 11);
}

TEST_SUITE_END();
