#include <doctest/doctest.h>
#include <signal.h>

#include <thread>

#include "cli_instances.h"

using namespace rig;

namespace {

// Writes to stderr at its start and for each line it hears.
const std::string chatty = "chatty=/bin/sh -c 'echo at the start >&2; while read -r line; do echo heard a line >&2; done'";

}  // namespace

TEST_SUITE_BEGIN("cli_instances");

TEST_CASE("ps lists the instances of all clients, as a table and as a document") {
  WatchedDaemon here;
  const auto none = here.home.run({"ps"});
  CHECK_EQ(none.code, 0);
  DemoTalk talk(here.daemon, "of-another-client");
  const auto table = here.home.run({"ps"});
  CHECK_EQ(table.code, 0);
  for (const std::string& part : {std::string("of-another-client"), std::string("mock"), std::to_string(talk.acp.pid())})
    CHECK_MESSAGE(contains(table.out, part), part);

  const auto document = here.home.run({"ps", "--json"});
  CHECK_EQ(document.code, 0);
  const auto servers = at_path(parse_json(document.out), "servers");
  REQUIRE(servers.is_array());
  REQUIRE_EQ(servers.as_array().size(), 1);
  CHECK_EQ(at_path(servers.as_array()[0], "serverId"), "of-another-client");
  CHECK_EQ(at_path(servers.as_array()[0], "agent"), "mock");
  CHECK_EQ(at_path(servers.as_array()[0], "status"), "running");
}

TEST_CASE("ps shows a question that is open and an agent that has exited") {
  WatchedDaemon here;
  DemoTalk asking(here.daemon, "asking");
  auto turn = asking.begin_prompt("/permission");
  REQUIRE(eventually([&] { return asking.acp.listed("openAgentRequests") == 1; }));
  DemoTalk dying(here.daemon, "dying");
  REQUIRE_EQ(dying.prompt("/crash 3").status, 502);
  const auto lines = lines_of(here.home.run({"ps"}).out);
  const auto line_of = [&](std::string_view id) {
    for (const auto& line : lines)
      if (contains(line, id)) return line;
    return std::string();
  };
  CHECK(contains(line_of("asking"), "1"));
  CHECK(contains(line_of("dying"), "exited"));
  CHECK(contains(line_of("dying"), "3"));
}

TEST_CASE("stop ends an instance, and one that is unknown is refused with those there are") {
  WatchedDaemon here;
  DemoTalk first(here.daemon, "first");
  DemoTalk second(here.daemon, "second");
  const auto unknown = here.home.run({"stop", "frist"});
  CHECK_EQ(unknown.code, 1);
  CHECK(contains(unknown.err, "frist"));
  CHECK(contains(unknown.err, "first"));
  CHECK(contains(unknown.err, "second"));
  CHECK_LE(lines_of(unknown.err).size(), 3);
  CHECK_EQ(Api(here.daemon).servers().size(), 2);

  CHECK_EQ(here.home.run({"stop", "first"}).code, 0);
  CHECK(first.acp.listing().empty());
  CHECK_FALSE(second.acp.listing().empty());
}

TEST_CASE("stop takes an id with any characters") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "a b/ü?#%");
  CHECK(contains(here.home.run({"ps"}).out, "a b/ü?#%"));
  CHECK_EQ(here.home.run({"stop", "a b/ü?#%"}).code, 0);
  CHECK(talk.acp.listing().empty());
}

TEST_CASE("logs prints what the agent wrote to stderr, of an exited one too") {
  WatchedDaemon here({"--agent", chatty});
  DemoTalk dying(here.daemon, "dying");
  REQUIRE_EQ(dying.prompt("/crash 3").status, 502);
  const auto last_words = here.home.run({"logs", "dying"});
  CHECK_EQ(last_words.code, 0);
  CHECK_EQ(last_words.out, "demo agent: crashing with exit code 3, as asked\n");

  Acp acp(here.daemon, "chatty", "chatty");
  REQUIRE_EQ(acp.notify("hello").status, 202);
  CHECK(eventually([&] { return here.home.run({"logs", "chatty"}).out == "at the start\nheard a line\n"; }));

  const auto unknown = here.home.run({"logs", "nobody"});
  CHECK_EQ(unknown.code, 1);
  CHECK(contains(unknown.err, "chatty"));
}

TEST_CASE("logs -f goes on with what is written later, once each, until it is interrupted") {
  WatchedDaemon here({"--agent", chatty});
  Acp acp(here.daemon, "chatty", "chatty");
  REQUIRE_EQ(acp.notify("hello").status, 202);
  const auto following = here.home.start({"logs", "-f", "chatty"});
  REQUIRE(eventually([&] { return following->out() == "at the start\nheard a line\n"; }));
  REQUIRE_EQ(acp.notify("hello").status, 202);
  CHECK(eventually([&] { return following->out() == "at the start\nheard a line\nheard a line\n"; }));
  following->process().signal(SIGINT);
  const auto ended = following->end();
  CHECK((ended.code == 0 || ended.code == 130));
  CHECK_FALSE(acp.listing().empty());
}

TEST_CASE("logs -f ends with its instance") {
  WatchedDaemon here({"--agent", chatty});
  Acp acp(here.daemon, "chatty", "chatty");
  REQUIRE_EQ(acp.notify("hello").status, 202);
  const auto following = here.home.start({"logs", "-f", "chatty"});
  REQUIRE(eventually([&] { return contains(following->out(), "heard a line"); }));
  REQUIRE_EQ(acp.remove().status, 204);
  CHECK_EQ(following->end().code, 0);
}

TEST_CASE("logs -f of an instance that wrote nothing ends with it too, and with its daemon") {
  CliHome home;
  const auto daemon = home.start_daemon();
  for (const bool by_daemon : {false, true}) {
    CAPTURE(by_daemon);
    Acp acp(daemon.api(), "silent", "mock");
    REQUIRE_EQ(acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);
    std::vector<std::unique_ptr<RunningCommand>> following;
    for (int i = 0; i < 6; ++i) following.push_back(home.start({"logs", "-f", "silent"}));
    std::this_thread::sleep_for(scaled(milliseconds(400)));  // all of them look again and again
    CHECK_EQ(home.run(by_daemon ? Words{"daemon", "stop"} : Words{"stop", "silent"}).code, 0);
    for (const auto& command : following) {
      const auto ended = command->end();
      CHECK_EQ(ended.code, 0);
      CHECK_EQ(ended.err, "");
    }
  }
}

TEST_CASE("logs --trace prints the messages of both directions") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  REQUIRE_EQ(talk.prompt("purple elephants").status, 200);
  const auto ended = here.home.run({"logs", "--trace", "talking"});
  CHECK_EQ(ended.code, 0);
  for (const std::string part : {"initialize", "session/new", "session/prompt", "session/update"})
    CHECK_MESSAGE(contains(ended.out, part), part);
  const auto documents = here.home.run({"logs", "--trace", "--json", "talking"});
  CHECK_EQ(documents.code, 0);
  CHECK_GE(json_lines(documents.out).size(), 6);
  for (const std::string part : {"session/prompt", "purple elephants", "end_turn"})
    CHECK_MESSAGE(contains(documents.out, part), part);
}

TEST_SUITE_END();
