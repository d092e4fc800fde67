// Between the command and its daemon stands a relay that cuts every connection on demand.
#include <doctest/doctest.h>
#include <signal.h>

#include "cli_scripted.h"
#include "support/cutting_relay.h"

using namespace rig;

namespace {

std::string steps(int count) {
  std::string text;
  for (int step = 1; step <= count; ++step)
    text += "step " + std::to_string(step) + " of " + std::to_string(count) + (step < count ? "\n" : "");
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("cli_run");

TEST_CASE("a connection that breaks again and again during a turn loses nothing and shows nothing twice") {
  const Daemon daemon;
  CuttingRelay relay(daemon.port());
  CliHome home;
  home.set("SANDBOX_AGENT_URL=http://127.0.0.1:" + std::to_string(relay.port()));
  home.set("SANDBOX_AGENT_TOKEN=" + daemon.token());
  auto command = home.start({"run", "--agent", "mock", "/slow 8"});
  for (int step = 1; step <= 6; step += 2) {
    REQUIRE(eventually([&] { return command->out().find("step " + std::to_string(step) + " of") != std::string::npos; }));
    relay.cut_all();
  }
  const auto ended = command->end();
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  std::string text = ended.out;
  while (text.ends_with('\n')) text.pop_back();
  CHECK_EQ(text, steps(8));
  CHECK(contains(ended.err, "trying again"));
}

TEST_CASE("an answer that is lost while the connection is gone ends the command instead of keeping it waiting") {
  const Daemon daemon({"--ring-messages", "4", "--reader-hold-ms", "0", "--reader-stall-ms", "0"});
  CuttingRelay relay(daemon.port());
  CliHome home;
  home.set("SANDBOX_AGENT_URL=http://127.0.0.1:" + std::to_string(relay.port()));
  home.set("SANDBOX_AGENT_TOKEN=" + daemon.token());
  const auto command = home.start({"run", "--agent", "mock", "/slow 3"});
  REQUIRE(eventually([&] { return command->out().find("step 1 of") != std::string::npos; }));
  relay.refuse(true);
  relay.cut_all();
  Api api(daemon.port(), daemon.token());
  CHECK(eventually([&] { return contains(api.get("/v1/acp").body, "\"pendingRequests\":0"); }));
  const std::string id(parse_json(api.get("/v1/acp").body).at("servers").at(0).at("serverId").as_string());
  Acp other(api, id, "mock");
  for (int i = 0; i < 6; ++i) CHECK_EQ(other.call("session/list", "{}").status, 200);
  relay.refuse(false);
  const auto ended = command->end();
  INFO(ended.err);
  CHECK_EQ(ended.code, 1);
  CHECK(contains(ended.err, "answer was lost"));
}

TEST_CASE("an answer of which messages were lost is said to be so, also with --quiet, and is no success") {
  CliHome home;
  const auto daemon = home.start_daemon({"--ring-messages", "64", "--reader-hold-ms", "0", "--reader-stall-ms", "0"});
  const auto gate = home.path() / "gate";
  put_scripted_agent(home, "say begin\nuntil [ -e " + gate.string() +
                               " ]; do sleep 0.05; done\nyes \"$(say \"$(printf %01000d 0)\")\" | head -n 20000\nsay end\n");
  for (const std::string loudness : {"--quiet", "--json"}) {
    INFO(loudness);
    const auto command = home.start({"run", loudness, "hello"});
    REQUIRE(eventually([&] { return contains(command->out(), "begin"); }));
    command->process().signal(SIGSTOP);
    write_file(gate, "");
    CHECK(eventually([&] { return number_at(boost::json::serialize(daemon.api().servers().at(0)), "pendingRequests") == 0; },
                     milliseconds(30'000)));
    command->process().signal(SIGCONT);
    const auto ended = command->end(milliseconds(30'000));
    INFO(ended.err);
    CHECK_EQ(ended.code, 1);
    CHECK(contains(ended.out, "end"));
    CHECK(contains(ended.err, "warning: "));
    CHECK(contains(ended.err, "messages of the agent were lost: the daemon keeps no more\n"));
    CHECK(contains(ended.err, "error: the answer is not whole"));
    if (loudness == "--json") CHECK(contains(ended.out, R"({"type":"gap","text":)"));
    std::filesystem::remove(gate);
  }
}

TEST_CASE("when only messages of clients are no longer kept the answer is whole, and they are noted") {
  CliHome home;
  const auto daemon = home.start_daemon({"--ring-bytes", "400000"});
  const auto command = home.start({"run", "--agent", "mock", "/slow 8"});
  REQUIRE(eventually([&] { return contains(command->out(), "step 1 of"); }));
  command->process().signal(SIGSTOP);
  const Acp other(daemon.api(), std::string(daemon.api().servers().at(0).at("serverId").as_string()), "mock");
  for (int i = 0; i < 40; ++i) REQUIRE_EQ(other.notify("_test/note", '"' + std::string(1'000'000, 'n') + '"').status, 202);
  command->process().signal(SIGCONT);
  const auto ended = command->end(milliseconds(30'000));
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.out, steps(8)));
  CHECK(contains(ended.err, "messages of clients are no longer kept\n"));
}

TEST_CASE("a daemon that dies in the middle of a turn ends the command with exit code 3") {
  CliHome home;
  home.start_daemon();
  auto command = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return command->out().find("step 1 of") != std::string::npos; }));
  kill(home.daemon().pid(), SIGKILL);
  const auto ended = command->end(milliseconds(45'000));
  CHECK_EQ(ended.code, 3);
  CHECK(contains(ended.err, "error: "));
}

TEST_SUITE_END();
