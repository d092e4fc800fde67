#include <doctest/doctest.h>
#include <signal.h>

#include <utility>

#include "cli_instances.h"
#include "scripted_daemon.h"

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

TEST_CASE("an empty id names no instance, and ends none") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "only");
  for (const Words& words : {Words{"stop", ""}, {"logs", ""}, {"attach", ""}, {"trace", "export", ""}, {"stop", "only", ""}}) {
    INFO(words[0]);
    const auto ended = here.home.run(words);
    CHECK_EQ(ended.code, 2);
    CHECK(contains(ended.err, "error: name an instance"));
  }
  CHECK_FALSE(talk.acp.listing().empty());
}

TEST_CASE("stop waits as long as the daemon grants an agent that does not heed it") {
  WatchedDaemon here({"--stop-grace-ms", "10500", "--agent",
                      "stubborn=/bin/sh -c 'trap \"\" TERM; echo deaf >&2; while :; do sleep 0.1; done'"});
  Acp acp(here.daemon, "stubborn", "stubborn");
  REQUIRE_EQ(acp.notify("hello").status, 202);
  REQUIRE(eventually([&] { return here.home.run({"logs", "stubborn"}).out == "deaf\n"; }));
  const auto ended = here.home.run({"stop", "stubborn"}, {}, milliseconds(20000));
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK_GT(ended.took, milliseconds(10000));
  CHECK(contains(ended.err, "stubborn has ended"));
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

TEST_CASE("logs -f has the last words of an agent that ended right after they were asked for") {
  WatchedDaemon real;
  DemoTalk talk(real.daemon, "dying");
  boost::json::object instance = talk.acp.listing();
  bool has_ended = false;
  const ScriptedDaemon daemon([&](const std::string& target) {
    if (contains(target, "/stderr")) return std::exchange(has_ended, true) ? "first\nlast\n" : std::string("first\n");
    if (has_ended) instance["status"] = "exited";
    return boost::json::serialize(boost::json::object{{"servers", boost::json::array{instance}}});
  });
  const auto ended = real.home.run({"logs", "-f", "dying"}, {.env = {"SANDBOX_AGENT_URL=" + daemon.url()}});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK_EQ(ended.out, "first\nlast\n");
}

TEST_CASE("logs -f says when an agent wrote more to stderr than is kept between two looks") {
  WatchedDaemon real;
  DemoTalk talk(real.daemon, "wordy");
  for (const bool as_json : {false, true}) {
    CAPTURE(as_json);
    boost::json::object instance = talk.acp.listing();
    bool has_ended = false;
    const ScriptedDaemon daemon([&](const std::string& target) {
      if (contains(target, "/stderr")) return std::exchange(has_ended, true) ? "much later\n" : std::string("first\n");
      if (has_ended) instance["status"] = "exited";
      return boost::json::serialize(boost::json::object{{"servers", boost::json::array{instance}}});
    });
    Words words{"logs", "-f", "wordy"};
    if (as_json) words.emplace_back("--json");
    const auto ended = real.home.run(words, {.env = {"SANDBOX_AGENT_URL=" + daemon.url()}});
    CHECK_EQ(ended.code, 0);
    CHECK_EQ(ended.err, "warning: some of its stderr was lost: it wrote more than is kept\n");
    CHECK_EQ(ended.out,
             as_json ? "{\"stderr\":\"first\\n\"}\n{\"lost\":true}\n{\"stderr\":\"much later\\n\"}\n" : "first\nmuch later\n");
  }
}

TEST_CASE("logs -f of an instance that wrote nothing ends with it too, and with its daemon") {
  CliHome home;
  const auto daemon = home.start_daemon();
  for (const bool by_daemon : {false, true}) {
    CAPTURE(by_daemon);
    Acp acp(daemon.api(), "silent", "mock");
    REQUIRE_EQ(acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);
    const auto asked = [&] { return number_at(daemon.api().get("/v1/status").body, "counters.requests"); };
    std::vector<std::unique_ptr<RunningCommand>> following;
    for (int i = 0; i < 6; ++i) {  // one by one, each until it looks again: who comes too late finds no instance
      const auto before = asked();
      following.push_back(home.start({"logs", "-f", "silent"}));
      std::int64_t ours = 0;
      REQUIRE(eventually([&] { return asked() - before - ++ours >= 4; }));
      following.back()->process().signal(SIGSTOP);
    }
    for (const auto& command : following) command->process().signal(SIGCONT);
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
