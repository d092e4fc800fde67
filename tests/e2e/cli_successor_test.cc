// Who takes the place of an idle daemon: which words, token, port and agents the next one gets, and when the former one stays.
#include <doctest/doctest.h>

#include "support/cli_home.h"

using namespace rig;

TEST_SUITE_BEGIN("cli_daemon");

TEST_CASE("daemon start makes one that stays of an idle one that a command started, with its token, port and agents") {
  CliHome home;
  REQUIRE_EQ(home.run({"up", "--no-open", "--", binary_under_test().string(), "mock-agent"}).code, 0);
  const auto former = home.daemon();
  REQUIRE_GT(former.state.at("idleExitMs").as_int64(), 0);
  const auto started = home.run({"daemon", "start"});
  INFO(started.all());
  REQUIRE_EQ(started.code, 0);
  CHECK(contains(started.err, "this one stays"));
  const auto daemon = home.daemon();
  CHECK_NE(daemon.pid(), former.pid());
  CHECK_EQ(daemon.state.at("idleExitMs").as_int64(), 0);
  CHECK_EQ(daemon.state.at("agents"), former.state.at("agents"));
  CHECK_EQ(daemon.url(), former.url());
  CHECK_EQ(daemon.token(), former.token());
  CHECK_EQ(former.api().get("/v1/health").status, 200);
  for (const auto& file : std::filesystem::directory_iterator(home.state_folder()))
    CHECK_FALSE(file.path().filename().string().starts_with("kept-token"));
  CHECK(contains(home.run({"daemon", "start"}).err, "runs already"));
  CHECK_EQ(home.daemon().pid(), daemon.pid());
}

TEST_CASE("a token of the user's own is the next daemon's too, from the same place") {
  for (const std::string by : {"file", "variable"}) {
    CAPTURE(by);
    CliHome home;
    write_file(home.path() / "token", "its-own-token\n");
    const auto up = by == "file" ? home.run({"up", "--no-open", "--token-file", "token"})
                                 : home.run({"up", "--no-open"}, {.env = {"SANDBOX_AGENT_TOKEN=its-own-token"}});
    REQUIRE_EQ(up.code, 0);
    const auto former = home.daemon();
    const CommandSetup setup{.env = by == "file" ? Words() : Words{"SANDBOX_AGENT_TOKEN=its-own-token"}};
    REQUIRE_EQ(home.run({"daemon", "start"}, setup).code, 0);
    CHECK_NE(home.daemon().pid(), former.pid());
    CHECK_EQ(home.daemon().url(), former.url());
    CHECK_EQ(Api(former.port(), "its-own-token").get("/v1/health").status, 200);
    CHECK_FALSE(contains(read_file(home.daemon().file), "its-own-token"));
  }
}

TEST_CASE("daemon start with a token and a port of its own gives the one that takes over these") {
  CliHome home;
  REQUIRE_EQ(home.run({"up", "--no-open"}).code, 0);
  const auto former = home.daemon();
  REQUIRE_EQ(home.run({"daemon", "start", "--port", "0"}, {.env = {"SANDBOX_AGENT_TOKEN=another"}}).code, 0);
  CHECK_NE(home.daemon().port(), former.port());
  CHECK_EQ(Api(home.daemon().port(), "another").get("/v1/health").status, 200);
}

TEST_CASE("daemon start with an agent that the one before it had too offers the new one") {
  CliHome home;
  write_file(home.path() / "mine", "#!/bin/sh\n", true);
  REQUIRE_EQ(home.run({"up", "--no-open", "--", "./mine"}).code, 0);
  const auto started = home.run({"daemon", "start", "--agent", "mine=another"});
  INFO(started.all());
  REQUIRE_EQ(started.code, 0);
  CHECK_EQ(boost::json::serialize(home.daemon().state.at("agents")), R"(["mine=another"])");
}

TEST_CASE("daemon start leaves one that is in use, and says when that ends") {
  CliHome home;
  REQUIRE_EQ(home.run({"up", "--no-open"}).code, 0);
  const auto daemon = home.daemon();
  Acp acp(daemon.api(), "x", "mock");
  REQUIRE_EQ(acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);
  const auto started = home.run({"daemon", "start"});
  CHECK_EQ(started.code, 0);
  CHECK(contains(started.err, "ends after 600 s without use"));
  CHECK(contains(started.err, "daemon stop"));
  CHECK_EQ(home.daemon().pid(), daemon.pid());
}

TEST_CASE("daemon start leaves one whose token it does not know, and says that it needs it") {
  CliHome home;
  const CommandSetup its_own{.env = {"SANDBOX_AGENT_TOKEN=its-own-token"}};
  REQUIRE_EQ(home.run({"up", "--no-open"}, its_own).code, 0);
  const auto daemon = home.daemon();
  for (const Words& env : {Words(), Words{"SANDBOX_AGENT_TOKEN=another"}}) {
    const auto started = home.run({"daemon", "start"}, {.env = env});
    INFO(started.all());
    CHECK_EQ(started.code, 0);
    CHECK(contains(started.err, "only start with its token in SANDBOX_AGENT_TOKEN"));
    CHECK_EQ(home.daemon().pid(), daemon.pid());
  }
  REQUIRE_EQ(home.run({"daemon", "start"}, its_own).code, 0);
  CHECK_NE(home.daemon().pid(), daemon.pid());
}

TEST_CASE("daemon start leaves one in which something is under way, also without an agent") {
  CliHome home;
  REQUIRE_EQ(home.run({"up", "--no-open"}).code, 0);
  const auto daemon = home.daemon();
  auto upload = daemon.api().begin("PUT", "/v1/fs/file?path=half", {{"Content-Length", "10"}}, "half");
  REQUIRE(eventually([&] { return number_at(daemon.api().get("/v1/status").body, "current.connections") == 2; }));
  const auto started = home.run({"daemon", "start"});
  CHECK_EQ(started.code, 0);
  CHECK(contains(started.err, "ends after 600 s without use"));
  upload.send(" whole");
  CHECK_EQ(upload.read_response().status, 200);
  CHECK_EQ(home.daemon().pid(), daemon.pid());
}

TEST_CASE("a daemon start that fails leaves a daemon with the token, port and agents of before") {
  CliHome home;
  REQUIRE_EQ(home.run({"up", "--no-open", "--", binary_under_test().string(), "mock-agent"}).code, 0);
  const auto former = home.daemon();
  const auto started = home.run({"daemon", "start", "--host", "203.0.113.5"});
  INFO(started.all());
  CHECK_EQ(started.code, 1);
  const auto daemon = home.daemon();
  CHECK_EQ(daemon.url(), former.url());
  CHECK_EQ(daemon.token(), former.token());
  CHECK_EQ(daemon.state.at("agents"), former.state.at("agents"));
  CHECK_EQ(daemon.state.at("idleExitMs"), former.state.at("idleExitMs"));
  CHECK_EQ(former.api().get("/v1/health").status, 200);
}

TEST_CASE("commands that put a daemon in another's place at the same time all get what they want") {
  CliHome home;
  for (const char* name : {"one", "two", "three"}) write_file(home.path() / name, "#!/bin/sh\n", true);
  REQUIRE_EQ(home.run({"up", "--no-open"}).code, 0);
  const auto former = home.daemon();
  std::vector<std::unique_ptr<RunningCommand>> commands;
  for (const char* name : {"./one", "./two", "./three"}) commands.push_back(home.start({"up", "--no-open", "--", name}));
  commands.push_back(home.start({"run", "-a", "mock", "hello"}));
  for (const auto& command : commands) {
    const auto end = command->end(milliseconds(30000));
    INFO(end.all());
    CHECK_EQ(end.code, 0);
  }
  CHECK_EQ(home.daemon().token(), former.token());
  const auto agents = home.daemon().api().get("/v1/agents").body;
  for (const char* name : {"one", "two", "three"}) CHECK(contains(agents, "\"id\":\"" + std::string(name) + "\""));
}

TEST_CASE("up with a command waits for a daemon that is in use for a moment") {
  CliHome home;
  write_file(home.path() / "mine", "#!/bin/sh\n", true);
  REQUIRE_EQ(home.run({"up", "--no-open"}).code, 0);
  Acp used(home.daemon().api(), "x", "mock");
  REQUIRE_EQ(used.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);
  const auto looks = [&] { return number_at(used.get("/v1/status").body, "counters.requests"); };
  const auto before = looks();
  const auto up = home.start({"up", "--no-open", "--", "./mine"});
  std::int64_t ours = 0;
  REQUIRE(eventually([&] { return looks() - before - ++ours >= 3; }));  // it asked for the agent, and twice what runs
  CHECK_EQ(used.remove().status, 204);
  const auto end = up->end(milliseconds(30000));
  INFO(end.all());
  CHECK_EQ(end.code, 0);
}

TEST_SUITE_END();
