#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

bool is_end_of_agent(const std::string& problem) {
  return problem == "502 agent_io_failed" || problem == "502 agent_process_exited";
}

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("an agent that closes its stdin before it has read everything is at its end: waiting POSTs are 502") {
  TempDir folder;
  const auto now = folder.path() / "now";
  const auto script = folder.path() / "agent.sh";
  write_file(script, "while [ ! -e " + now.string() + " ]; do sleep 0.02; done; exec sleep 30 <&-\n");
  Daemon daemon({"--agent", "closing=/bin/sh " + script.string()});
  Acp acp(daemon, "x", "closing");
  auto half_written = acp.begin_call("large", '"' + std::string(300'000, 'l') + '"');
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 1; }));
  auto queued = acp.begin_call("small");
  REQUIRE(eventually([&] { return acp.listed("pendingRequests") == 2; }));
  auto stream = acp.stream();
  write_file(now, "");
  const auto start = Clock::now();
  for (auto* connection : {&half_written, &queued}) {
    const auto problem = problem_of(connection->read_response());
    CHECK_MESSAGE(is_end_of_agent(problem), problem);
  }
  CHECK(stream.until("_adapter/agent_exited").is_message());
  CHECK_LT(since(start), scaled(milliseconds(10'000)));  // it would sleep much longer
  CHECK(stream.quiet_for(milliseconds(100)));
}

TEST_CASE("what an agent still says that is ended for its closed stdin is heard") {
  TempDir folder;
  const auto script = folder.path() / "agent.sh";
  write_file(script,
             "trap 'echo \"{\\\"method\\\":\\\"last_words\\\"}\"; exit 0' TERM\n"
             "read start; exec <&-\n"
             "echo '{\"method\":\"up\"}'\n"
             "while :; do sleep 0.05; done\n");
  Daemon daemon({"--agent", "closed=/bin/sh " + script.string(), "--stop-grace-ms", "10000"});
  Acp acp(daemon, "x", "closed");
  REQUIRE_EQ(acp.notify("start").status, 202);
  auto stream = acp.stream();
  CHECK(stream.until("up").is_message());
  const auto problem = problem_of(acp.post(rpc_request("1", "more")));
  REQUIRE_MESSAGE(is_end_of_agent(problem), problem);
  const auto words = stream.until("\"last_words\"");
  CHECK(stream.next().mentions("_adapter/agent_exited"));
  CHECK_EQ(words.id, 2);
}

TEST_CASE("a message that is 502 for a broken pipe is not shown as sent") {
  Daemon daemon;
  Acp acp(daemon, "x");
  REQUIRE_EQ(acp.call("close_stdin").status, 200);
  const auto problem = problem_of(acp.call("lost_forever"));
  REQUIRE_MESSAGE(is_end_of_agent(problem), problem);
  auto stream = acp.stream({}, "include=client");
  CHECK(stream.next().mentions("close_stdin"));
  while (!stream.quiet_for(milliseconds(200))) CHECK_FALSE(stream.next().mentions("lost_forever"));
}

TEST_SUITE_END();
